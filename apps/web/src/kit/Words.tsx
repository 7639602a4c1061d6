import { polymorphic, Text, type TextProps } from '@mantine/core'

/** Said quietly within other words: a count beside a title, an explanation. */
export const Muted = polymorphic<'span', TextProps>((props: TextProps) => (
  <Text component="span" inherit c="dimmed" fw={400} {...tabular(props)} />
))

/** Said quietly in small type under or beside what matters. */
export const Fine = polymorphic<'span', TextProps>((props: TextProps) => (
  <Text component="span" size="xs" c="dimmed" {...tabular(props)} />
))

const tabular = ({ className, ...props }: TextProps) => ({ ...props, className: `tabular ${className ?? ''}`.trim() })
