import '#kit/focusKeeper.ts'
import '../theme.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { printInLight } from '#kit/printing.ts'
import { Toasts } from '#kit/Toasts.tsx'
import { cssVariables, theme } from '../theme.ts'
import { queryClient } from './queryClient.ts'

printInLight()
const root = createRoot(document.getElementById('root') as HTMLElement)

/** Renders the page within its theme, replacing the one before: the sign-in page, then the app. */
export const rendered = (page: ReactNode): void =>
  root.render(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <Toasts />
        {page}
      </QueryClientProvider>
    </MantineProvider>,
  )
