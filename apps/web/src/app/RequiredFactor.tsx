import { FactorList } from '#areas/staff/factors/FactorList.tsx'
import { session, useAccount } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { SignInLayout } from './SignInLayout.tsx'

/** Replaces every page while a role requires a second factor that the user has not added. */
export default function RequiredFactor() {
  const { fio } = useAccount().user.identity
  return (
    <SignInLayout title="Подключите второй фактор" hint={fio}>
      <FactorList />
      <ActionButton label="Выйти" variant="subtle" fullWidth mt="lg" onClick={() => void session.signOut()} />
    </SignInLayout>
  )
}
