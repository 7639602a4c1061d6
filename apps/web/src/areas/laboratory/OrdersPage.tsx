import { pageByKey } from '@ordinator/model/pages'
import { OrderList } from './OrderList.tsx'

/** Заказы анализов: from the desk to the signed result. */
export default function OrdersPage() {
  return <OrderList page={pageByKey('labOrders')} />
}
