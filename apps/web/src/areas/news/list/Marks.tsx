import { IconPinFilled } from '@tabler/icons-react'
import { Dot } from '#kit/Stacks.tsx'

/** Pinned to the top of the feed. */
export function Pinned() {
  return <IconPinFilled size={16} color="var(--ord-selected-text)" role="img" aria-label="Закреплена" />
}

/** Unread by the user. */
export function Unread() {
  return (
    <Dot
      color="light-dark(var(--mantine-color-teal-8), var(--mantine-color-teal-4))"
      role="img"
      aria-label="Не прочитана"
      title="Не прочитана"
    />
  )
}
