import '#base/startEarlyCalls.ts'
import '#kit/focusKeeper.ts'
import './theme.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { queryClient } from '#app/queryClient.ts'
import { router } from '#app/router.tsx'
import { printInLight } from '#kit/printing.ts'
import { Toasts } from '#kit/Toasts.tsx'
import { cssVariables, theme } from './theme.ts'

printInLight()
createRoot(document.getElementById('root') as HTMLElement).render(
  <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
    <QueryClientProvider client={queryClient}>
      <Toasts />
      <RouterProvider router={router} />
    </QueryClientProvider>
  </MantineProvider>,
)
