import { allowed } from '@ordinator/model/access'
import { pageByKey } from '@ordinator/model/pages'
import { IconTestPipe } from '@tabler/icons-react'
import { useGo } from '#base/address.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { MenuItem } from '#kit/ActionMenu.tsx'

/** What the form of an order is filled with: ids of whom it is for and of where it comes from. */
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

/** The way to a new order of tests, for who may make one. */
export function OrderTestsButton({ from }: { from: From }) {
  const order = useOrder(from)
  return order ? <ActionButton label={LABEL} icon={IconTestPipe} variant="default" onClick={order} /> : null
}

/** The same in a menu. */
export function OrderTestsItem({ from }: { from: From }) {
  const order = useOrder(from)
  return order ? <MenuItem label={LABEL} icon={IconTestPipe} onClick={order} /> : null
}
