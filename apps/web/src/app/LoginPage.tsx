import { useRouter, useSearch } from '@tanstack/react-router'
import { safeRedirect } from '#base/redirect.ts'
import { APP } from '#kit/root.ts'
import { SignInForm } from './SignInForm.tsx'

/** /login?redirect=… within the app, when a session has ended; opened by its address it is signIn.tsx. */
export default function LoginPage() {
  const target = safeRedirect((useSearch({ strict: false }) as { redirect?: unknown }).redirect)
  const router = useRouter()
  return <SignInForm onEntered={() => router.history.replace(APP + target)} />
}
