import { part } from './chunk.ts'

export interface NamedIconProps {
  name: string | null | undefined
  size?: number
  color?: string
}

/** The drawings come beside the page (`Frame`): few pages show one before their data. */
export const DrawnIcon = part(
  () => import('./DrawnIcon.tsx'),
  ({ size }: NamedIconProps) => <span style={{ display: 'inline-block', width: size, height: size, flexShrink: 0 }} />,
)

/** An icon by name; a circle for an unknown name. */
export const NamedIcon = ({ size = 18, ...props }: NamedIconProps) => <DrawnIcon size={size} {...props} />
