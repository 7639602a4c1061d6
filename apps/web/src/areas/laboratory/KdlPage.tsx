import { pageByKey } from '@ordinator/model/pages'
import { OrderList } from './OrderList.tsx'

/** Заказы КДЛ: orders of partner laboratories. */
export default function KdlPage() {
  return <OrderList page={pageByKey('labKdl')} filter={{ 'items.laboratory.kind': 'partner' }} />
}
