import { ReportMailing } from '@ordinator/model/areas/reports/mailing'
import type { Report } from '@ordinator/model/report'
import { type PeriodPreset, periodPresets, presetPeriod } from '@ordinator/model/reportPeriod'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { today } from '#kit/clock.ts'
import { notify } from '#kit/notify.tsx'
import { SidePanel } from '#kit/SidePanel.tsx'
import { Fine } from '#kit/Words.tsx'
import { RecordField } from '#records/form/RecordField.tsx'
import { RecordForm } from '#records/RecordForm.tsx'

interface Props {
  report: Report
  /** Parameters of the report; the days become a relative period. */
  asked: Record<string, unknown>
  onClose: () => void
}

/** Preset that equals the shown days, else the last month: fixed days would repeat the same report. */
function presetOf({ from, until }: Record<string, unknown>): PeriodPreset {
  const day = today()
  const same = Object.keys(periodPresets).find((key) => {
    const period = presetPeriod(key as PeriodPreset, day)
    return period.from === from && period.until === until
  })
  return (same as PeriodPreset | undefined) ?? 'lastMonth'
}

/** Creates a mailing of this report with its current parameters. */
export function MailPanel({ report, asked, onClose }: Props) {
  const actor = useActor()
  const { from: _from, until: _until, ...rest } = asked
  return (
    <SidePanel opened onClose={onClose} title="Прислать по почте">
      <Fine component="p" mb={12}>
        Письмо приходит с отбором, который сейчас на экране, и по правам того, кому пришло.{' '}
        <PageLink page="reportMailings">Все рассылки</PageLink>
      </Fine>
      <RecordForm
        entity={ReportMailing}
        draft={report.key}
        initial={{ name: report.title, period: presetOf(asked), recipients: [actor.id] }}
        fixed={{ report: report.key, asked: rest }}
        saveLabel="Присылать"
        onSaved={() => {
          notify.success('Рассылка заведена')
          onClose()
        }}
        onCancel={onClose}
      >
        <RecordField name="name" />
        {!report.isNow && <RecordField name="period" />}
        <RecordField name="rhythm" />
        <RecordField name="hour" />
        <RecordField name="recipients" />
        <RecordField name="what" />
        <RecordField name="format" />
        <RecordField name="ifEmpty" />
      </RecordForm>
    </SidePanel>
  )
}
