import { allowed } from '@ordinator/model/access'
import { pageByKey } from '@ordinator/model/pages'
import { IconTestPipe } from '@tabler/icons-react'
import { useGo } from '#base/address.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { MenuItem } from '#kit/ActionMenu.tsx'

/** Query of the order form: ids of the patient and the source. */
interface From {
  customer?: number
  visit?: number
  lead?: number
  plan?: number
  examination?: number
  doctor?: number
  filial?: number
}

const LABEL = 'Назначить анализы'

function useOrder(from: From): (() => void) | undefined {
  const go = useGo()
  const may = allowed(useActor(), pageByKey('newLabOrder').any)
  return may ? () => void go({ page: 'newLabOrder', search: { ...from } }) : undefined
}

/** Button for a new order, by right. */
export function OrderTestsButton({ from }: { from: From }) {
  const order = useOrder(from)
  return order ? <ActionButton label={LABEL} icon={IconTestPipe} variant="default" onClick={order} /> : null
}

/** The same as a menu item. */
export function OrderTestsItem({ from }: { from: From }) {
  const order = useOrder(from)
  return order ? <MenuItem label={LABEL} icon={IconTestPipe} onClick={order} /> : null
}
