import { Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { HStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'

interface Props {
  title: string
  /** Beside the title: «5 из 12». */
  count?: string
  actions?: ReactNode
  children: ReactNode
}

/** A titled section of the open item. */
export function Section({ title, count, actions, children }: Props) {
  const heading = useId()
  return (
    <section aria-labelledby={heading}>
      <HStack mih={32} wrap>
        <Title id={heading} order={2} size="h3" mr="auto">
          {title} {count && <Muted ml={4}>{count}</Muted>}
        </Title>
        {actions}
      </HStack>
      {children}
    </section>
  )
}
