import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '#base/api.ts'
import { Logo } from './Logo.tsx'
import classes from './SignInLayout.module.css'

interface Props {
  title: string
  /** One line below the title. */
  hint: string
  children: ReactNode
}

/** Layout of the pages before access: sign-in and mandatory steps after it. */
export function SignInLayout({ title, hint, children }: Props) {
  // The clinic's logo and name; until they are loaded, the product's.
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
