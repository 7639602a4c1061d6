import { Box, type BoxProps, polymorphic } from '@mantine/core'
import type { ComponentPropsWithoutRef, CSSProperties } from 'react'
import classes from './Stacks.module.css'

interface BlockProps extends BoxProps {
  /** Takes the remaining space, and shrinks when there is little. */
  grow?: boolean
  /** A surface with a border. */
  framed?: boolean
  /** A border above or below. */
  rule?: 'top' | 'bottom'
}

interface StackProps extends BlockProps {
  /** Gap in pixels, default 8. */
  gap?: number | string
  align?: CSSProperties['alignItems']
  justify?: CSSProperties['justifyContent']
  wrap?: boolean
}

/** Layout of areas without a CSS class each: margins and sizes are Mantine's props. */
export const Block = polymorphic<'div', BlockProps>(({ grow, framed, rule, className, ...rest }: BlockProps) => (
  <Box
    className={joined(classes.block, className)}
    data-grow={grow || undefined}
    data-framed={framed || undefined}
    data-rule={rule}
    {...rest}
  />
))

/** A horizontal stack, vertically centred. */
export const HStack = polymorphic<'div', StackProps>((props: StackProps) => stack(classes.across, props))

/** A vertical stack, full width. */
export const VStack = polymorphic<'div', StackProps>((props: StackProps) => stack(classes.down, props))

function stack(kind: string | undefined, { gap, align, justify, wrap, className, style, ...rest }: StackProps) {
  return (
    <Block
      className={joined(kind, className)}
      data-wrap={wrap || undefined}
      style={[{ gap, alignItems: align, justifyContent: justify }, style]}
      {...rest}
    />
  )
}

interface TilesProps extends BlockProps {
  /** Minimum pixels of a tile; as many per line as fit. */
  tile: number
  gap?: number | string
  /** An incomplete line is stretched. */
  fit?: boolean
}

export const Tiles = polymorphic<'div', TilesProps>(({ tile, gap, fit, className, style, ...rest }: TilesProps) => (
  <Block
    className={joined(classes.tiles, className)}
    data-fit={fit || undefined}
    style={[{ '--tile': `${tile}px`, gap }, style]}
    {...rest}
  />
))

interface DotProps extends BoxProps, Omit<ComponentPropsWithoutRef<'span'>, 'color' | 'style'> {
  color: string | null | undefined
  size?: number
}

/** A colour dot: of a stage, a tag, a state. */
export function Dot({ color, size = 8, ...rest }: DotProps) {
  return <Box component="span" className={classes.dot} w={size} h={size} bg={color ?? undefined} {...rest} />
}

const joined = (...names: (string | undefined)[]): string => names.filter(Boolean).join(' ')
