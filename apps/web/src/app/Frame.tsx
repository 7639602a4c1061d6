import { Outlet, useSearch } from '@tanstack/react-router'
import { Shell } from './Shell.tsx'
import { TwinWatch } from './TwinWatch.tsx'

/** The layout of the signed-in pages; `?layout=default` shows the page alone, for embedding into other systems. */
export function Frame() {
  const plain = (useSearch({ strict: false }) as { layout?: unknown }).layout === 'default'
  return (
    <>
      <TwinWatch />
      {plain ? (
        <main id="main" tabIndex={-1} style={{ height: '100%', overflow: 'auto', background: 'var(--ord-surface)' }}>
          <Outlet />
        </main>
      ) : (
        <Shell />
      )}
    </>
  )
}
