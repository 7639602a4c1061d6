import { RouterProvider } from '@tanstack/react-router'
import { rendered } from './rendered.tsx'
import { router } from './router.tsx'

/** @param path in the app, with `/app`; default: the address of the window */
export function start(path?: string): void {
  if (path !== undefined) router.history.replace(path)
  rendered(<RouterProvider router={router} />)
}
