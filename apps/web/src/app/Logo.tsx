import { apiUrl } from '#base/api.ts'

interface Props {
  size?: number
  /** The clinic's picture by name, and its colour. */
  logo?: string
  color?: string
  /** The whole picture; else its left square, which has the symbol. */
  wide?: boolean
}

/** The clinic's logo, or the product's mark in the clinic's colour. */
export function Logo({ size = 28, logo, color, wide }: Props) {
  if (logo)
    return (
      <img
        src={apiUrl('GET /settings/pictures/:name', { params: { name: logo } })}
        alt=""
        // Logos are made for a white background.
        style={{
          flexShrink: 0,
          height: size,
          ...(wide ? { maxWidth: size * 4, padding: 4 } : { width: size, padding: 2, objectPosition: 'left' }),
          objectFit: wide ? 'contain' : 'cover',
          background: '#fff',
          borderRadius: 6,
        }}
      />
    )
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" style={{ flexShrink: 0 }}>
      <rect width="32" height="32" rx="8" fill={color || 'var(--mantine-color-teal-8)'} />
      <path d="M16 7.5a8.5 8.5 0 1 0 8.5 8.5" fill="none" stroke="#fff" strokeWidth="3" strokeLinecap="round" />
      <path d="M22 5.5v7M18.5 9h7" stroke="#fff" strokeWidth="3" strokeLinecap="round" />
    </svg>
  )
}
