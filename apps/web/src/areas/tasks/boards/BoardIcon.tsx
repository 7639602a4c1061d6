import { contrastColor, parseColor } from '#kit/color.ts'
import { NamedIcon } from '#kit/NamedIcon.tsx'

interface Props {
  icon: string | null
  color: string
  /** Pixels. */
  size: number
}

/** Icon of a workspace on its colour. */
export function BoardIcon({ icon, color, size }: Props) {
  const back = parseColor(color) ?? '#546060'
  return (
    <span
      aria-hidden
      style={{
        display: 'grid',
        placeItems: 'center',
        flex: 'none',
        width: size,
        height: size,
        borderRadius: 'var(--mantine-radius-md)',
        background: back,
        // Keeps black icons visible in the dark scheme.
        boxShadow: 'inset 0 0 0 1px rgb(128 128 128 / 35%)',
      }}
    >
      <NamedIcon name={icon || 'kanban'} size={Math.round(size * 0.56)} color={contrastColor(back)} />
    </span>
  )
}
