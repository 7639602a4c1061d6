import { Box, type BoxProps, polymorphic } from '@mantine/core'
import type { ComponentPropsWithoutRef, CSSProperties } from 'react'
import classes from './Stacks.module.css'

interface BlockProps extends BoxProps {
  /** Takes the room that is left beside the others, and gives it back when there is little. */
  grow?: boolean
  /** A surface with a line around it. */
  framed?: boolean
  /** A line above or below. */
  rule?: 'top' | 'bottom'
}

interface StackProps extends BlockProps {
  /** Pixels between the parts: 8 unless said otherwise. */
  gap?: number | string
  align?: CSSProperties['alignItems']
  justify?: CSSProperties['justifyContent']
  wrap?: boolean
}

/** How areas lay things out, instead of a class each: margins and sizes are Mantine's own props. */
export const Block = polymorphic<'div', BlockProps>(({ grow, framed, rule, className, ...rest }: BlockProps) => (
  <Box
    className={joined(classes.block, className)}
    data-grow={grow || undefined}
    data-framed={framed || undefined}
    data-rule={rule}
    {...rest}
  />
))

/** Side by side, in the middle of the line. */
export const HStack = polymorphic<'div', StackProps>((props: StackProps) => stack(classes.across, props))

/** One under another, as wide as there is room. */
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
  /** Pixels that a tile needs; there are as many in a line as have room. */
  tile: number
  gap?: number | string
  /** A line that is not full is stretched. */
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

/** The colour of something: of a stage, a tag, a state. */
export function Dot({ color, size = 8, ...rest }: DotProps) {
  return <Box component="span" className={classes.dot} w={size} h={size} bg={color ?? undefined} {...rest} />
}

const joined = (...names: (string | undefined)[]): string => names.filter(Boolean).join(' ')
