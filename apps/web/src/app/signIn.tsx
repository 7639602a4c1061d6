import { safeRedirect } from '#base/redirect.ts'
import { useWindowTitle } from '#base/title.ts'
import { loadChunk } from '#kit/chunk.ts'
import { APP } from '#kit/root.ts'
import { CrashBoundary } from './CrashBoundary.tsx'
import { rendered } from './rendered.tsx'
import { SignInForm } from './SignInForm.tsx'

/** The sign-in page by itself: the app takes over at the address that was asked for. */
export function start(): void {
  rendered(
    <CrashBoundary>
      <SignInPage />
    </CrashBoundary>,
  )
}

const loadApp = () => loadChunk(() => import('./start.tsx'))

/** /login?redirect=… */
function SignInPage() {
  useWindowTitle('Вход', undefined)
  return <SignInForm onEntered={() => void enter()} onBegun={begin} />
}

/** Loads the app while the user types. */
function begin() {
  loadApp().catch(() => {})
}

async function enter() {
  const path = APP + safeRedirect(new URLSearchParams(location.search).get('redirect'))
  try {
    const app = await loadApp()
    app.start(path)
  } catch {
    // A new version on the server, or no connection: the document of that address loads the app anew.
    location.replace(path)
  }
}
