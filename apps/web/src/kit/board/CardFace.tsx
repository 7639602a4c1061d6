/** Parts of a card's face. Plain elements and one CSS module: a board renders hundreds of these. */
import { IconDots, type TablerIcon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { contrastColor } from '../color.ts'
import { NamedIcon } from '../NamedIcon.tsx'
import classes from './CardFace.module.css'

const MAX_TAGS = 2

interface Tag {
  id: number
  name: string
  color: string
  icon: string | null
}

/** Tags by name; the rest are behind '+N', listed in its tooltip. */
export function CardTags({ tags }: { tags: readonly Tag[] }) {
  const rest = tags.slice(MAX_TAGS).map((tag) => tag.name)
  return (
    <>
      {tags.slice(0, MAX_TAGS).map((tag) => (
        <span
          key={tag.id}
          className={classes.tag}
          style={{ background: tag.color, color: contrastColor(tag.color) }}
          title={tag.name}
        >
          {tag.icon && <NamedIcon name={tag.icon} size={11} />}
          <span className={classes.tagName}>{tag.name}</span>
        </span>
      ))}
      {rest.length > 0 && (
        <span className={classes.rest} title={rest.join(', ')}>
          +{rest.length}
        </span>
      )}
    </>
  )
}

interface MarkProps {
  icon: TablerIcon
  /** Full description of the mark. */
  title: string
  tone?: 'done' | 'warning' | 'new' | undefined
  children?: ReactNode
}

/** A small figure with an icon. */
export function CardMark({ icon: Icon, title, tone, children }: MarkProps) {
  return (
    <span className={classes.mark} data-tone={tone} title={title}>
      <Icon size={14} aria-hidden />
      {children}
    </span>
  )
}

/** The button in the corner, visible on hover. */
export function CardMenuButton({ label, onMenu }: { label: string; onMenu: (button: HTMLElement) => void }) {
  return (
    <button
      type="button"
      className={classes.menu}
      tabIndex={-1}
      aria-label={label}
      aria-haspopup="menu"
      onClick={(event) => onMenu(event.currentTarget)}
    >
      <IconDots size={16} aria-hidden />
    </button>
  )
}
