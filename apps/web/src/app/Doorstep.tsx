import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../base/api.ts'
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
  // Whoever signs in sees whose program it is; without an answer the product's own mark stands there.
  const face = useQuery({
    queryKey: ['face'],
    queryFn: ({ signal }) => api('GET /settings/face', {}, { signal, quiet: true, anonymous: true }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { name = '', logo = '', color = '' } = face.data ?? {}
  return (
    <main id="main" className={classes.page}>
      <div className={classes.card}>
        <div className={classes.brand}>
          <Logo size={40} logo={logo} color={color} wide />
          <div>
            <h1 className={classes.title}>{title}</h1>
            <Text size="sm" c="dimmed">
              {name || hint}
            </Text>
          </div>
        </div>
        {children}
      </div>
    </main>
  )
}
