import { Customer } from '@ordinator/model/areas/customers/customer'
import type { TablerIcon } from '@tabler/icons-react'
import { Fragment, type ReactNode } from 'react'
import { useAddress } from '#base/address.ts'
import { id } from '#base/addressValues.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ListStates, type PortionedList } from '#kit/ListStates.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { useRecord } from '#records/reads.ts'
import classes from './OneCustomersList.module.css'

/** Patient id in the URL: /migration/customer-calls?idCustomer=5. */
export const useCustomerOfAddress = (): number | undefined =>
  useAddress((search) => ({ idCustomer: id(search.idCustomer) }))[0].idCustomer

interface Props<R> {
  idCustomer: number | undefined
  /** «Звонки». */
  title: string
  icon: TablerIcon
  empty: { title: string; text: string }
  list: PortionedList<R>
  children: (row: R) => ReactNode
}

/** Records of one kind of one patient, newest first, in a frame of the former CRM. */
export function OneCustomersList<R extends { id: number }>(props: Props<R>) {
  const { idCustomer, title, icon, empty, list, children } = props
  const sees = useCan('view', Customer)
  const customer = useRecord(Customer, sees ? idCustomer : undefined, {}, { forbidden: 'silent' }).data
  return (
    <VStack gap={16} p="var(--ord-page)">
      <h1>
        {title}
        {customer && `: ${customer.fio}`}
      </h1>
      {idCustomer === undefined ? (
        <EmptyState icon={icon} title="Клиент не указан" text="В адресе нет номера клиента: idCustomer." />
      ) : (
        <ListStates
          list={list}
          failed={`${title} не загрузились`}
          waiting={<LinesSkeleton lines={8} />}
          empty={<EmptyState icon={icon} {...empty} />}
        >
          {(rows, more) => (
            <>
              <ul className={classes.list} aria-label={title}>
                {rows.map((row) => (
                  <Fragment key={row.id}>{children(row)}</Fragment>
                ))}
              </ul>
              {more}
            </>
          )}
        </ListStates>
      )}
    </VStack>
  )
}

interface LineProps {
  of: { outcome?: { name: string } | null; nextStep: string | null }
  /** Content of the line itself. */
  head: ReactNode
  /** Below the line. */
  text?: ReactNode
  more?: ReactNode
}

/** A conversation with its outcome. */
export const ConversationLine = ({ of: { outcome, nextStep }, head, text, more }: LineProps) => (
  <li className={classes.line}>
    <HStack wrap gap="4px 16px">
      {head}
    </HStack>
    {text}
    {(outcome || nextStep) && <Fine className="breaks">{outcome?.name ?? nextStep}</Fine>}
    {more}
  </li>
)
