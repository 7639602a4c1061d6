import { polymorphic, Text, type TextProps } from '@mantine/core'
import { Children, Fragment, type ReactNode } from 'react'

/** Said quietly within other words: a count beside a title, an explanation. */
export const Muted = polymorphic<'span', TextProps>((props: TextProps) => (
  <Text component="span" inherit c="dimmed" fw={400} {...tabular(props)} />
))

/** Said quietly in small type under or beside what matters. */
export const Fine = polymorphic<'span', TextProps>((props: TextProps) => (
  <Text component="span" size="xs" c="dimmed" {...tabular(props)} />
))

const tabular = ({ className, ...props }: TextProps) => ({ ...props, className: `tabular ${className ?? ''}`.trim() })

/** Facts of one line with dots between; what is empty is left out. */
export const Dotted = ({ children }: { children: ReactNode }) =>
  Children.toArray(children)
    .filter((part) => part !== '')
    .map((part, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: facts have no names, and stay in their order
      <Fragment key={at}>
        {at > 0 && ' · '}
        {part}
      </Fragment>
    ))
