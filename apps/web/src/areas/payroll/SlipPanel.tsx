import { type PayrollPeriod, PayrollSlip } from '@ordinator/model/areas/payroll/payroll'
import { isCounting } from '@ordinator/model/areas/payroll/states'
import type { Row } from '@ordinator/model/entity'
import { IconCash } from '@tabler/icons-react'
import { useState } from 'react'
import { PrintMenu } from '#areas/prints/index.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { SidePanel } from '#kit/SidePanel.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { useRecord } from '#records/reads.ts'
import { PayDialog } from './PayDialog.tsx'
import { SlipView } from './SlipView.tsx'

interface Props {
  id: number
  period: Row<typeof PayrollPeriod>
  onClose: () => void
}

/** A slip over the sheet: lines, manual lines, payouts. */
export function SlipPanel({ id, period, onClose }: Props) {
  const [paying, setPaying] = useState(false)
  const answer = useRecord(
    PayrollSlip,
    id,
    { expand: ['user'] },
    { forbidden: 'silent', live: ['payroll/adjustments', 'payroll/payouts', 'payroll/runs'] },
  )
  const slip = answer.data
  return (
    <SidePanel
      opened
      wide
      onClose={onClose}
      title={slip?.user ? <UserLink user={slip.user} /> : PayrollSlip.label[0]}
      actions={
        slip && (
          <>
            {period.status !== 'closed' && (
              <ActionButton
                label={isCounting(period.status) || period.status === 'checked' ? 'Выдать аванс' : 'Выплатить'}
                icon={IconCash}
                variant="default"
                size="compact-md"
                onClick={() => setPaying(true)}
              />
            )}
            <PrintMenu entity="payroll/slips" id={slip.id} variant="subtle" />
          </>
        )
      }
    >
      {answer.isError ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : slip ? (
        <SlipView slip={slip} mayEdit={isCounting(period.status)} />
      ) : (
        <LinesSkeleton lines={8} />
      )}
      {paying && slip && <PayDialog period={period} slip={slip} onClose={() => setPaying(false)} />}
    </SidePanel>
  )
}
