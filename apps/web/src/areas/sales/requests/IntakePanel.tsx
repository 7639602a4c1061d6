import { Intake, intakeKinds } from '@ordinator/model/areas/sales/intake'
import type { Row } from '@ordinator/model/entity'
import { CopyField } from '#kit/CopyField.tsx'
import { IntakesPanel } from '#records/intake/IntakesPanel.tsx'
import { WebhookSecret } from '#records/intake/WebhookSecret.tsx'

const fields = ['name', 'kind', 'isActive', 'idFunnel', 'idSource', 'title', 'thanks']

/** Intakes of requests: URLs, secrets and texts. */
export function IntakePanel({ onClose }: { onClose: () => void }) {
  return (
    <IntakesPanel
      entity={Intake}
      title="Приём заявок"
      empty="Форма на сайте или вебхук — и заявки придут сюда сами."
      fields={fields}
      about={({ kind }) => intakeKinds[kind]}
      onClose={onClose}
    >
      {(intake) => <Ways intake={intake} />}
    </IntakesPanel>
  )
}

function Ways({ intake }: { intake: Row<typeof Intake> }) {
  const address = `${location.origin}/intake/${intake.key}`
  return (
    <>
      <CopyField label={intake.kind === 'form' ? 'Адрес для отправки формы' : 'Адрес вебхука'} value={address} />
      {intake.kind === 'form' && (
        <>
          <CopyField label="Готовая страница с формой" value={`${address}/form`} />
          <CopyField
            label="Код для сайта"
            value={`<iframe src="${address}/form" width="100%" height="480" title="Оставить заявку"></iframe>`}
          />
        </>
      )}
      {intake.kind === 'webhook' && <WebhookSecret entity={Intake} intake={intake} />}
    </>
  )
}
