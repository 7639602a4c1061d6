import { PasswordForm } from '#areas/staff/profile/PasswordForm.tsx'
import { session, useAccount } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { SignInLayout } from './SignInLayout.tsx'

/** Replaces every page while the password is a temporary one. */
export default function TemporaryPassword() {
  const { fio } = useAccount().user.identity
  return (
    <SignInLayout title="Задайте свой пароль" hint={fio}>
      <PasswordForm temporary />
      <ActionButton label="Выйти" variant="subtle" fullWidth mt="lg" onClick={() => void session.signOut()} />
    </SignInLayout>
  )
}
