import { SegmentedControl, Text } from '@mantine/core'
import { allowed } from '@ordinator/model/access'
import { Organization } from '@ordinator/model/areas/filials/organization'
import { moneyView } from '@ordinator/model/areas/money/access'
import type { AccountLine } from '@ordinator/model/areas/money/accountCalls'
import { FiscalTask } from '@ordinator/model/areas/money/fiscal'
import { txKinds } from '@ordinator/model/areas/money/ledger'
import { GuaranteeLetter, letterStatuses, Payment } from '@ordinator/model/areas/money/payment'
import { formatDay, formatMoney } from '@ordinator/model/format'
import { IconAdjustments, IconCash, IconGift, IconReceiptOff, IconTicket } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { PrintMenu } from '#areas/prints/index.ts'
import { api } from '#base/api.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { today } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { FormDialog } from '#kit/FormDialog.tsx'
import { MoreRows } from '#kit/LoadMore.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, Tiles, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Dotted, Fine, Muted } from '#kit/Words.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { useList } from '#records/reads.ts'
import { PartList } from '#records/registry/PartList.tsx'
import { Bonuses } from '../bonuses/Bonuses.tsx'
import { CertificateRows, useCertificates } from '../certificates/CertificateRows.tsx'
import { SellDialog } from '../certificates/SellDialog.tsx'
import { PaymentRows } from '../desk/PaymentRows.tsx'
import { TakeDialog } from '../desk/TakeDialog.tsx'
import { MembershipRows, useMemberships } from '../memberships/MembershipRows.tsx'
import { SellMembershipDialog } from '../memberships/SellMembershipDialog.tsx'
import { readMoney, useAccount, useOperationKey } from '../reads.ts'
import { SumAndReason } from '../SumAndReason.tsx'
import classes from './Account.module.css'

const PAYMENTS = 20

/** Счёт клиента: debt and advance, payments, ledger entries, guarantee letters. */
export function AccountTab({ idCustomer }: { idCustomer: number }) {
  const actor = useActor()
  const [open, setOpen] = useState<'take' | 'sell' | 'membership' | 'correct'>()
  const account = useAccount(idCustomer)
  const payments = useList(
    Payment,
    { filter: { idCustomer }, expand: ['desk.filial', 'certificate'], limit: PAYMENTS },
    { forbidden: 'silent', live: [FiscalTask.path] },
  )
  const certificates = useCertificates(idCustomer)
  const memberships = useMemberships(idCustomer)
  if (!allowed(actor, moneyView)) return <EmptyState title="Счёт видят те, кто работает с деньгами" />
  if (account.isError) return <ErrorState error={account.error} onRetry={() => void account.refetch()} />
  const [first] = account.data?.pages ?? []
  // Rendered at once, so that the layout does not shift.
  if (!first || payments.isPending || certificates.isPending || memberships.isPending)
    return <LinesSkeleton lines={6} />
  const lines = account.data?.pages.flatMap((page) => page.lines) ?? []
  return (
    <VStack gap={24}>
      <HStack wrap justify="space-between" gap={16} align="flex-start">
        <Tiles tile={150} gap={12} miw={260} grow>
          <Sum label="Долг" value={first.debt} color={first.debt > 0 ? 'var(--mantine-color-error)' : undefined} />
          <Sum label="Аванс" value={first.advance} />
          {first.organizations.length > 1 &&
            first.organizations.map(({ id, name, debt, advance }) => (
              <Sum key={id} label={name} value={debt > 0 ? debt : -advance} fine={debt > 0 ? 'долг' : 'аванс'} />
            ))}
        </Tiles>
        <HStack wrap>
          {allowed(actor, 'editAccount') && (
            <ActionButton
              label="Корректировка"
              variant="default"
              icon={IconAdjustments}
              onClick={() => setOpen('correct')}
            />
          )}
          {allowed(actor, 'takePayments') && (
            <ActionButton
              label="Продать сертификат"
              variant="default"
              icon={IconGift}
              onClick={() => setOpen('sell')}
            />
          )}
          {allowed(actor, 'takePayments') && (
            <ActionButton
              label="Продать абонемент"
              variant="default"
              icon={IconTicket}
              onClick={() => setOpen('membership')}
            />
          )}
          {allowed(actor, 'takePayments') && (
            <ActionButton label="Принять оплату" icon={IconCash} onClick={() => setOpen('take')} />
          )}
        </HStack>
      </HStack>
      <MembershipRows idCustomer={idCustomer} />
      <CertificateRows idCustomer={idCustomer} />
      <Bonuses idCustomer={idCustomer} />
      {lines.length === 0 ? (
        <EmptyState
          icon={IconReceiptOff}
          title="Расчётов нет"
          text="Здесь встанут начисления за услуги, оплаты, возвраты и корректировки"
        />
      ) : (
        <>
          <section aria-label="Платежи">
            <h2 className={classes.title}>Платежи</h2>
            {payments.isError ? (
              <ErrorState error={payments.error} onRetry={() => void payments.refetch()} />
            ) : payments.data?.items.length ? (
              <PaymentRows payments={payments.data.items} />
            ) : (
              <Muted component="p">
                {allowed(actor, 'viewAllCashDesks')
                  ? 'Оплат пока не было'
                  : 'В кассах ваших филиалов оплат не было. Принятые в других есть в движении по счёту.'}
              </Muted>
            )}
          </section>
          <section aria-label="Движение по счёту">
            <h2 className={classes.title}>Движение по счёту</h2>
            <Lines lines={lines} isOfMany={first.organizations.length > 1} />
            <MoreRows list={account} label="Показать раньше" />
          </section>
        </>
      )}
      <PartList
        entity={GuaranteeLetter}
        of={{ idCustomer }}
        title="Гарантийные письма ДМС"
        expand={['insurer']}
        fields={['idInsurer', 'number', 'limit', 'dateFrom', 'dateTo', 'services', 'status']}
        tools={({ id }) => <PrintMenu entity="guarantee-letters" id={id} variant="subtle" />}
        face={({ number, insurer, limit, used, dateFrom, dateTo, status }) => (
          <>
            {insurer?.shortName} <span className="tabular">№ {number}</span>
            <Fine component="div">
              {formatMoney(used)} из {formatMoney(limit)} · с {formatDay(dateFrom)}{' '}
              {dateTo < today() ? 'истекло' : 'по'} {formatDay(dateTo)}
              {status === 'closed' && ` · ${letterStatuses.closed.toLowerCase()}`}
            </Fine>
          </>
        )}
      />
      {open === 'take' && <TakeDialog idCustomer={idCustomer} onClose={() => setOpen(undefined)} />}
      {open === 'sell' && <SellDialog idCustomer={idCustomer} onClose={() => setOpen(undefined)} />}
      {open === 'membership' && <SellMembershipDialog idCustomer={idCustomer} onClose={() => setOpen(undefined)} />}
      {open === 'correct' && <CorrectDialog idCustomer={idCustomer} onClose={() => setOpen(undefined)} />}
    </VStack>
  )
}

function Sum({ label, value, color, fine }: { label: string; value: number; color?: string; fine?: string }) {
  return (
    <Block framed p={12}>
      <Fine component="div">
        {label} {fine}
      </Fine>
      <Text fz={20} fw={600} c={color} className="tabular">
        {formatMoney(Math.abs(value))}
      </Text>
    </Block>
  )
}

function Lines({ lines, isOfMany }: { lines: readonly AccountLine[]; isOfMany: boolean }) {
  return (
    <div className={classes.frame}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">День</th>
            <th scope="col">Что</th>
            <th scope="col">Сумма</th>
            <th scope="col" className={classes.wide}>
              Остаток
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ id, localDate, kind, comment, sum, balance, organization, idAuthor, author }) => (
            <tr key={`${id} ${organization}`}>
              <td>{formatDay(localDate)}</td>
              <td>
                {txKinds[kind]}
                <Fine component="div">
                  <Dotted>
                    {comment}
                    {isOfMany && organization}
                    {author && <UserLink user={{ id: idAuthor ?? undefined, shortFio: author }} />}
                  </Dotted>
                </Fine>
              </td>
              <td>
                {sum > 0 ? '+' : '−'}
                {formatMoney(Math.abs(sum))}
              </td>
              <td className={classes.wide}>
                {balance > 0 ? 'долг ' : balance < 0 ? 'аванс ' : ''}
                {formatMoney(Math.abs(balance))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const corrections = { charge: 'Начислить долг', writeOff: 'Списать долг' } as const

function CorrectDialog({ idCustomer, onClose }: { idCustomer: number; onClose: () => void }) {
  const cache = useQueryClient()
  const [key] = useOperationKey()
  const own = useList(Organization, { filter: { kind: 'own' }, limit: 2 }, { forbidden: 'silent' })
  /** Selected by default. */
  const only = own.data?.items.length === 1 ? (own.data.items[0]?.id ?? null) : null
  return (
    <FormDialog
      title="Корректировка счёта"
      action={({ kind }) => corrections[kind]}
      draft={{
        kind: 'charge' as keyof typeof corrections,
        idOrganization: null as number | null,
        sum: null as number | null,
        reason: '',
      }}
      required={{ sum: 'Укажите сумму' }}
      faults={({ idOrganization }) => ({ idOrganization: !(idOrganization ?? only) && 'Выберите организацию' })}
      send={({ idOrganization, ...correction }) =>
        api('POST /ledger/correct', {
          body: { key, idCustomer, idOrganization: (idOrganization ?? only) as number, ...correction },
        })
      }
      done={async () => {
        await readMoney(cache)
        notify.success('Счёт исправлен')
      }}
      onClose={onClose}
    >
      {({ draft: { idOrganization }, number, value, choice }) => (
        <>
          <SegmentedControl
            aria-label="Что сделать"
            data={Object.entries(corrections).map(([value, label]) => ({ value, label }))}
            {...choice('kind')}
          />
          <RefSelect
            to={Organization.path}
            filter={{ kind: 'own' }}
            label="Организация"
            required
            {...value('idOrganization')}
            value={idOrganization ?? only}
          />
          <SumAndReason number={number} value={value} />
        </>
      )}
    </FormDialog>
  )
}
