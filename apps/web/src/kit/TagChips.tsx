import { Tooltip } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { contrastColor } from './color.ts'
import { NamedIcon } from './NamedIcon.tsx'
import classes from './TagChips.module.css'

export interface TagLike {
  id: number | string
  name: string
  color?: string | null
  icon?: string | null
}

interface ChipProps {
  tag: TagLike
  onRemove?: () => void
}

/** A tag on its colour; the text colour is chosen for contrast. */
export function TagChip({ tag, onRemove }: ChipProps) {
  const colored = tag.color ? { background: tag.color, color: contrastColor(tag.color) } : undefined
  return (
    <span className={classes.chip} style={colored}>
      {tag.icon && <NamedIcon name={tag.icon} size={12} />}
      <span className={classes.name}>{tag.name}</span>
      {onRemove && (
        <button type="button" className={classes.remove} aria-label={`Убрать метку «${tag.name}»`} onClick={onRemove}>
          <IconX size={12} aria-hidden />
        </button>
      )}
    </span>
  )
}

interface Props {
  tags: readonly TagLike[]
  /** Number of tags shown before '+N', default 3. */
  max?: number
  onRemove?: (tag: TagLike) => void
}

/** Tags in a line; the rest are behind '+N' with their names in a tooltip. */
export function TagChips({ tags, max = 3, onRemove }: Props) {
  if (tags.length === 0) return null
  const rest = tags.slice(max)
  const names = rest.map((tag) => tag.name).join(', ')
  return (
    <span className={classes.chips}>
      {tags.slice(0, max).map((tag) => (
        <TagChip key={tag.id} tag={tag} onRemove={onRemove && (() => onRemove(tag))} />
      ))}
      {rest.length > 0 && (
        <Tooltip label={names} openDelay={100}>
          <span className={classes.more}>
            <span aria-hidden>+{rest.length}</span>
            <span className={classes.hidden}>ещё: {names}</span>
          </span>
        </Tooltip>
      )}
    </span>
  )
}
