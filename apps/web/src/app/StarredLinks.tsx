import type { Starred } from '@ordinator/model/areas/settings/userSettings'
import { IconGripVertical, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { KeyboardEvent } from 'react'
import { IconButton } from '#kit/IconButton.tsx'
import { useSortable } from '#kit/useSortable.ts'
import classes from './Menu.module.css'
import { moveStar, toggleStar } from './menuPreference.ts'

interface Props {
  starred: readonly Starred[]
  onChange: (starred: readonly Starred[]) => void
  onNavigate?: () => void
}

/** Starred pages in the user's order: dragged, or moved by Alt+↑ and Alt+↓. */
export default function StarredLinks({ starred, onChange, onNavigate }: Props) {
  return (
    <ul className={classes.starred} aria-label="Избранное">
      {starred.map((one, at) => (
        <StarredRow
          key={one.link}
          one={one}
          at={at}
          onMove={(link, to) => onChange(moveStar(starred, link, to))}
          onPut={(from, to) => {
            const moved = starred[from]
            if (moved) onChange(moveStar(starred, moved.link, to))
          }}
          onRemove={() => onChange(toggleStar(starred, one))}
          onNavigate={onNavigate}
        />
      ))}
    </ul>
  )
}

interface RowProps {
  one: Starred
  at: number
  onMove: (link: string, to: number) => void
  onPut: (from: number, to: number) => void
  onRemove: () => void
  onNavigate?: () => void
}

function StarredRow({ one, at, onMove, onPut, onRemove, onNavigate }: RowProps) {
  const { ref, edge, dragging } = useSortable<HTMLLIElement>({
    kind: 'starred',
    id: at,
    onPut: (from, place) => {
      if (place.before !== undefined) onPut(from, from < place.before ? place.before - 1 : place.before)
      else if (place.after !== undefined) onPut(from, from <= place.after ? place.after : place.after + 1)
    },
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!event.altKey || step === undefined) return
    event.preventDefault()
    onMove(one.link, at + step)
  }
  return (
    <li ref={ref} className={classes.starredRow} data-edge={edge ?? undefined} data-dragging={dragging || undefined}>
      <Link
        to={one.link}
        className={classes.link}
        data-inner
        title={one.title}
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
        activeOptions={{ exact: true, includeSearch: true }}
        onClick={onNavigate}
        onKeyDown={onKeyDown}
      >
        <IconGripVertical size={14} className={classes.grip} aria-hidden />
        <span className={classes.label}>{one.title}</span>
      </Link>
      <IconButton
        className={classes.unstar}
        size={24}
        icon={IconX}
        label={`Убрать из избранного: ${one.title}`}
        onClick={onRemove}
      />
    </li>
  )
}
