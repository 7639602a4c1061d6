import { RouterProvider } from '@tanstack/react-router'
import { PageIcons } from './PageIcon.tsx'
import { rendered } from './rendered.tsx'
import { router } from './router.tsx'
import { icons } from './webAreas.ts'

/** @param path in the app, with `/app`; default: the address of the window */
export function start(path?: string): void {
  if (path !== undefined) router.history.replace(path)
  rendered(
    <PageIcons value={icons}>
      <RouterProvider router={router} />
    </PageIcons>,
  )
}
