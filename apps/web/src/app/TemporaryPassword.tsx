import { PasswordForm } from '../areas/staff/profile/PasswordForm.tsx'
import { session, useAccount } from '../base/session.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { Doorstep } from './Doorstep.tsx'

/** Stands in the place of every page while the password is one that somebody else has made. */
export default function TemporaryPassword() {
  const { fio } = useAccount().user.identity
  return (
    <Doorstep title="Задайте свой пароль" hint={fio}>
      <PasswordForm temporary />
      <ActionButton label="Выйти" variant="subtle" fullWidth mt="lg" onClick={() => void session.signOut()} />
    </Doorstep>
  )
}
