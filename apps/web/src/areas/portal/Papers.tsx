import type { PortalPaper } from '@ordinator/model/areas/portal/paperCalls'
import type { PortalMe } from '@ordinator/model/areas/portal/shapes'
import { formatDay } from '@ordinator/model/format'
import { useState } from 'react'
import { ask } from './ask.ts'
import { Button, Empty, Field, Loaded } from './parts.tsx'
import { useAsked } from './useAsked.ts'
import { useForm } from './useForm.ts'

/** Документы: papers to read and download; pending ones are signed here. */
export function Papers({ me, patient }: { me: PortalMe; patient: number }) {
  if (me.byLink)
    return (
      <p className="card">
        По личной ссылке документы не открываются. Выйдите из кабинета в разделе «Данные» и войдите кодом из СМС.
      </p>
    )
  return <PaperList patient={patient} />
}

function PaperList({ patient }: { patient: number }) {
  const asked = useAsked((signal) => ask('GET /portal/papers', { query: { patient } }, signal), `papers ${patient}`)
  return (
    <Loaded asked={asked}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty title="Документов пока нет">
            Здесь будут заключения врачей, планы лечения и подписанные согласия.
          </Empty>
        ) : (
          <ul className="list">
            {items.map((paper) => (
              <Paper key={`${paper.kind} ${paper.id}`} paper={paper} patient={patient} onChange={asked.again} />
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}

function Paper({ paper, patient, onChange }: { paper: PortalPaper; patient: number; onChange: () => void }) {
  const { kind, id, name, day, doctor, note, maySign, mayRevoke } = paper
  const [signing, setSigning] = useState(false)
  return (
    <li className="card">
      <div className="head">
        <strong>{name}</strong>
        <span className="chip">{note}</span>
      </div>
      <p className="quiet">{[formatDay(day), doctor].filter(Boolean).join(', ')}</p>
      <a
        className="button wide"
        data-tone="plain"
        href={`/portal/papers/${kind}/${id}?patient=${patient}`}
        target="_blank"
        rel="noreferrer"
        aria-label={`Открыть: ${name}, ${formatDay(day)}`}
      >
        {maySign ? 'Прочитать' : 'Открыть'}
      </a>
      {maySign &&
        kind !== 'examination' &&
        kind !== 'analysis' &&
        (signing ? (
          <Signing kind={kind} id={id} patient={patient} onSign={onChange} />
        ) : (
          <Button className="button wide" onClick={() => setSigning(true)} aria-label={`${signWords[kind]}: ${name}`}>
            {signWords[kind]}
          </Button>
        ))}
      {mayRevoke && <Revoking id={id} patient={patient} onRevoke={onChange} />}
    </li>
  )
}

const signWords = { plan: 'Согласовать', consent: 'Подписать' } as const

/** Signs by a code sent to the signer's phone. */
function Signing({
  kind,
  id,
  patient,
  onSign,
}: {
  kind: keyof typeof signWords
  id: number
  patient: number
  onSign: () => void
}) {
  const [code, setCode] = useState('')
  const [to, setTo] = useState<string | null>()
  const asked = { params: { kind, id }, query: { patient } }
  const first = useForm(async () => setTo((await ask('POST /portal/papers/:kind/:id/code', asked)).phone))
  const second = useForm(async () => {
    await ask('POST /portal/papers/:kind/:id/sign', { ...asked, body: { code } })
    onSign()
  })
  if (to === undefined)
    return (
      <form className="steps" onSubmit={(event) => void first.submit(event)}>
        <p className="quiet">Прочитайте документ. Код из сообщения заменит вашу подпись.</p>
        {Object.values(first.wrong).map((words) => (
          <p key={words} className="wrong" role="alert">
            {words}
          </p>
        ))}
        <Button type="submit" busy={first.busy}>
          Получить код
        </Button>
      </form>
    )
  return (
    <form className="steps" onSubmit={(event) => void second.submit(event)} noValidate>
      <p>
        Код отправлен на <b className="number">{to}</b>, он действует 10 минут.
      </p>
      <Field
        label="Код из сообщения"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={8}
        value={code}
        wrong={second.wrong.code ?? Object.values(second.wrong)[0]}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <Button type="submit" busy={second.busy} disabled={code.trim() === ''}>
        {signWords[kind]}
      </Button>
      <Button tone="plain" busy={first.busy} onClick={() => void first.submit()}>
        Новый код
      </Button>
      {first.wrong.form && <p className="wrong">{first.wrong.form}</p>}
    </form>
  )
}

function Revoking({ id, patient, onRevoke }: { id: number; patient: number; onRevoke: () => void }) {
  const [sure, setSure] = useState(false)
  const form = useForm(async () => {
    await ask('POST /portal/consents/:id/revoke', { params: { id }, query: { patient } })
    onRevoke()
  })
  if (!sure)
    return (
      <Button className="button wide" tone="plain" onClick={() => setSure(true)}>
        Отозвать согласие
      </Button>
    )
  return (
    <form className="steps" onSubmit={(event) => void form.submit(event)}>
      <p>Клиника перестанет присылать рекламу. Напоминания о визитах останутся.</p>
      {form.wrong.form && (
        <p className="wrong" role="alert">
          {form.wrong.form}
        </p>
      )}
      <Button type="submit" tone="danger" busy={form.busy}>
        Отозвать
      </Button>
      <Button tone="plain" onClick={() => setSure(false)}>
        Не отзывать
      </Button>
    </form>
  )
}
