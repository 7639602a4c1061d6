import { PayrollSlip } from '@ordinator/model/areas/payroll/payroll'
import { formatMoney } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { PrintMenu } from '#areas/prints/index.ts'
import { useAddress } from '#base/address.ts'
import { id as idOf } from '#base/addressValues.ts'
import type { Search } from '#base/redirect.ts'
import { useActor } from '#base/session.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { useList } from '#records/reads.ts'
import classes from './Payroll.module.css'
import { SlipView } from './SlipView.tsx'
import { monthName } from './words.ts'

const page = pageByKey('myPayroll')
const read = (search: Search) => ({ slip: idOf(search.slip) })
const MAX_SLIPS = 60

/** Мои расчётные листы: own pay by month, with the calculation of each line. */
export default function MyPayrollPage() {
  const actor = useActor()
  const [{ slip }, setAddress] = useAddress(read)
  const slips = useList(PayrollSlip, {
    filter: { idUser: actor.id, status: { in: ['approved', 'paid', 'closed'] } },
    sort: '-id',
    limit: MAX_SLIPS,
  })
  const items = slips.data?.items ?? []
  const open = items.find(({ id }) => id === slip) ?? items[0]
  return (
    <>
      <PageHead title={page.title} help={page.help} />
      <Block px="var(--ord-page)" pb="var(--ord-page)">
        {slips.isError ? (
          <ErrorState error={slips.error} onRetry={() => void slips.refetch()} />
        ) : !slips.data ? (
          <LinesSkeleton lines={8} />
        ) : !open ? (
          <EmptyState
            title="Расчётных листов пока нет"
            text="Лист появится, когда бухгалтер утвердит зарплату за месяц."
          />
        ) : (
          <div className={classes.mine}>
            <nav aria-label="Месяцы" className={classes.months}>
              {items.map((one) => (
                <button
                  key={one.id}
                  type="button"
                  aria-current={one.id === open.id ? 'page' : undefined}
                  onClick={() => setAddress({ slip: one.id })}
                >
                  <span>{monthName(one.month)}</span>
                  <span className="tabular">{formatMoney(one.total)}</span>
                  <Fine component="span">{one.nameFilial}</Fine>
                </button>
              ))}
            </nav>
            <Block framed p={16} grow>
              <HStack justify="end" mb={8}>
                <PrintMenu entity="payroll/slips" id={open.id} label="Распечатать лист" />
              </HStack>
              <SlipView key={open.id} slip={open} />
            </Block>
          </div>
        )}
      </Block>
    </>
  )
}
