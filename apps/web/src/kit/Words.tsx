import { polymorphic, Text, type TextProps } from '@mantine/core'
import { Children, Fragment, type ReactNode } from 'react'

/** Muted text within other text: a count beside a title, an explanation. */
export const Muted = polymorphic<'span', TextProps>((props: TextProps) => (
  <Text component="span" inherit c="dimmed" fw={400} {...tabular(props)} />
))

/** Small muted text below or beside the main content. */
export const Fine = polymorphic<'span', TextProps>((props: TextProps) => (
  <Text component="span" size="xs" c="dimmed" {...tabular(props)} />
))

/** Which keys do it, where there is a keyboard: a finger has none. */
export const KeysHint = (props: TextProps & { children: ReactNode }) => (
  <Fine {...props} className={`keysHint ${props.className ?? ''}`.trim()} />
)

const tabular = ({ className, ...props }: TextProps) => ({ ...props, className: `tabular ${className ?? ''}`.trim() })

/** Facts on one line separated by dots; empty ones are omitted. */
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
