import { allowed } from '@ordinator/model/access'
import { Certificate, certificateStates } from '@ordinator/model/areas/money/certificate'
import type { Row } from '@ordinator/model/entity'
import { formatDay, formatMoney } from '@ordinator/model/format'
import { IconCalendarDue } from '@tabler/icons-react'
import { useState } from 'react'
import { CustomerLink } from '#areas/customers/index.ts'
import { PrintMenu } from '#areas/prints/index.ts'
import { records } from '#base/client.ts'
import { useActor } from '#base/session.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { DateField } from '#kit/DateField.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { notify } from '#kit/notify.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { useList } from '#records/reads.ts'
import classes from '../account/Account.module.css'

const CERTIFICATES = 50

type CertificateRow = Row<typeof Certificate>

export const useCertificates = (idCustomer: number) =>
  useList(
    Certificate,
    { filter: { idBuyer: idCustomer }, expand: ['customer'], limit: CERTIFICATES },
    { forbidden: 'silent', live: ['payments'] },
  )

/** Certificates bought by a customer; hidden without any. */
export function CertificateRows({ idCustomer }: { idCustomer: number }) {
  const actor = useActor()
  const [editing, setEditing] = useState<CertificateRow>()
  const list = useCertificates(idCustomer)
  if (list.isError) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (!list.data?.items.length) return null
  return (
    <section aria-label="Сертификаты">
      <h2 className={classes.title}>Сертификаты</h2>
      <VStack component="ul" gap={4}>
        {list.data.items.map((one) => (
          <HStack key={one.id} component="li" framed pl={12} pr={4} py={4} mih={40}>
            <Block grow miw={0} className="breaks">
              <span className="tabular">№ {one.number}</span>
              {one.customer && (
                <>
                  {' · для '}
                  <CustomerLink customer={one.customer} />
                </>
              )}
              <Fine component="div">
                Осталось {formatMoney(one.rest)} из {formatMoney(one.sum)} ·{' '}
                {one.state === 'active' ? 'действует' : certificateStates[one.state].toLowerCase()}
                {(one.state === 'active' || one.state === 'expired') && ` по ${formatDay(one.dateTo)}`}
              </Fine>
            </Block>
            <PrintMenu entity="certificates" id={one.id} variant="subtle" />
            {allowed(actor, 'editAccount') && (one.state === 'active' || one.state === 'expired') && (
              <IconButton
                icon={IconCalendarDue}
                label={`Изменить срок: № ${one.number}`}
                onClick={() => setEditing(one)}
              />
            )}
          </HStack>
        ))}
      </VStack>
      {editing && <TermDialog certificate={editing} onClose={() => setEditing(undefined)} />}
    </section>
  )
}

function TermDialog({ certificate, onClose }: { certificate: CertificateRow; onClose: () => void }) {
  const [dateTo, setDateTo] = useState<string | null>(certificate.dateTo)
  return (
    <ActionDialog
      title={`Срок сертификата № ${certificate.number}`}
      action="Сохранить"
      faults={{ dateTo: !dateTo && 'Укажите день' }}
      onClose={onClose}
      run={async () => {
        await records.update(Certificate, certificate.id, { dateTo: dateTo as string })
        notify.success(`Сертификат действует по ${formatDay(dateTo as string)}`)
      }}
    >
      {(errorOf) => (
        <DateField label="Действует по" required value={dateTo} error={errorOf('dateTo')} onChange={setDateTo} />
      )}
    </ActionDialog>
  )
}
