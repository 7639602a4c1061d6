import { FactorList } from '../areas/staff/factors/FactorList.tsx'
import { session, useAccount } from '../base/session.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { Doorstep } from './Doorstep.tsx'

/** Stands in the place of every page while a role asks for a second factor that is not there. */
export default function RequiredFactor() {
  const { fio } = useAccount().user.identity
  return (
    <Doorstep title="Подключите второй фактор" hint={fio}>
      <FactorList />
      <ActionButton label="Выйти" variant="subtle" fullWidth mt="lg" onClick={() => void session.signOut()} />
    </Doorstep>
  )
}
