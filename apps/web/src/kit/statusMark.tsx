import type { ReactNode } from 'react'
import { Dot, HStack } from './Stacks.tsx'

/** A colour of the theme with its shade: `teal-6`. */
type Shade = `${'blue' | 'gray' | 'red' | 'teal' | 'yellow'}-${5 | 6 | 7}`

/** A coloured dot before a short text, on one line. */
export const DotLine = ({ shade, children }: { shade: Shade; children: ReactNode }) => (
  <HStack component="span" gap={6} display="inline-flex" className="nowrap">
    <Dot color={`var(--mantine-color-${shade})`} />
    {children}
  </HStack>
)

/** The component that shows the statuses of an entity: the name of each, with a dot of its colour. */
export const statusMark =
  <S extends string>(names: Readonly<Record<S, string>>, shades: Readonly<Record<S, Shade>>) =>
  ({ status }: { status: S }) => <DotLine shade={shades[status]}>{names[status]}</DotLine>
