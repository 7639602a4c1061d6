import { Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { HStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import classes from './Lead.module.css'

interface Props {
  title: string
  count?: number
  /** At the right of the title. */
  actions?: ReactNode
  children: ReactNode
}

/** A titled section of the open deal. */
export function Section({ title, count, actions, children }: Props) {
  const heading = useId()
  return (
    <section className={classes.section} aria-labelledby={heading}>
      <HStack gap={12} mb={4} mih={32} wrap>
        <Title id={heading} order={3} mr="auto" fw={500}>
          {title} {count ? <Muted ml={4}>{count}</Muted> : null}
        </Title>
        {actions}
      </HStack>
      {children}
    </section>
  )
}
