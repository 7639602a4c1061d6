import { allowed } from '@ordinator/model/access'
import { ordersEdit } from '@ordinator/model/areas/laboratory/access'
import { IconPlus } from '@tabler/icons-react'
import { useGo } from '#base/address.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { useHotkey } from '#kit/hotkeys.ts'

/** Link to a new order, by right. */
export function NewOrderButton({ idCustomer }: { idCustomer?: number }) {
  const go = useGo()
  const may = allowed(useActor(), ordersEdit)
  const make = () => void go({ page: 'newLabOrder', search: idCustomer ? { customer: idCustomer } : {} })
  useHotkey('n', make, { label: 'Новый заказ анализов', group: 'Заказы анализов', enabled: may })
  return may ? <ActionButton label="Новый заказ анализов" icon={IconPlus} onClick={make} /> : null
}
