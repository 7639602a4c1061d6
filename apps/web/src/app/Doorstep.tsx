import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Doorstep.module.css'
import { Logo } from './Logo.tsx'

interface Props {
  title: string
  /** One line under the title. */
  hint: string
  children: ReactNode
}

/** What stands before the house: the sign-in and whatever has to be done before one is let in. */
export function Doorstep({ title, hint, children }: Props) {
  return (
    <main id="main" className={classes.page}>
      <div className={classes.card}>
        <div className={classes.brand}>
          <Logo size={40} />
          <div>
            <h1 className={classes.title}>{title}</h1>
            <Text size="sm" c="dimmed">
              {hint}
            </Text>
          </div>
        </div>
        {children}
      </div>
    </main>
  )
}
