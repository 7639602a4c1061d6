import '#kit/focusKeeper.ts'
import '../theme.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { LateToasts } from '#kit/notify.tsx'
import { printInLight } from '#kit/printing.ts'
import { cssVariables, theme } from '../theme.ts'
import { queryClient } from './queryClient.ts'

printInLight()
const root = createRoot(document.getElementById('root') as HTMLElement)

/** Renders the page within its theme, replacing the one before: the sign-in page, then the app. */
export const rendered = (page: ReactNode): void =>
  root.render(
    // Mantine writes all its variables into the page, so that its sheet of their defaults need not be loaded.
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      deduplicateCssVariables={false}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={queryClient}>
        <LateToasts />
        {page}
      </QueryClientProvider>
    </MantineProvider>,
  )
