import type { PortalMe } from '@ordinator/model/areas/portal/calls'
import { formatDay } from '@ordinator/model/format'
import { phoneText } from '@ordinator/model/phone'
import type { ReactNode } from 'react'
import { ask } from './ask.ts'
import { Button, Loaded } from './parts.tsx'
import { Requests } from './Requests.tsx'
import { useAsked } from './useAsked.ts'

/** Мои данные: what the clinic keeps of the patient, and what was agreed to. */
export function Data({
  me,
  patient,
  onLeave,
}: {
  me: PortalMe
  patient: number
  onLeave: (everywhere?: 'everywhere') => void
}) {
  const asked = useAsked((signal) => ask('GET /portal/data', { query: { patient } }, signal), `data ${patient}`)
  return (
    <>
      {me.isProven ? (
        <Loaded asked={asked}>
          {(data) => (
            <>
              <h2>{data.fio}</h2>
              <dl className="card facts">
                <Fact name="Дата рождения">{data.birthday && formatDay(data.birthday)}</Fact>
                <Fact name="Телефон">{data.phone && phoneText(data.phone)}</Fact>
                <Fact name="Электронная почта">{data.email}</Fact>
                <Fact name="Адрес">{data.address}</Fact>
                <Fact name="СНИЛС">{data.snils}</Fact>
                {data.policies.map(({ number, company, dateTo }) => (
                  <Fact key={number} name="Полис">
                    {[number, company, dateTo && `до ${formatDay(dateTo)}`].filter(Boolean).join(', ')}
                  </Fact>
                ))}
              </dl>
              <p className="quiet">Что-то неверно? Скажите в регистратуре: исправят в карте.</p>
              <h2>Согласия</h2>
              {data.consents.length === 0 && <p className="quiet">Подписанных согласий нет.</p>}
              <ul className="list">
                {data.consents.map(({ name, status, signedOn, validTo }) => (
                  <li key={`${name}${signedOn}`} className="card">
                    <div className="head">
                      <strong>{name}</strong>
                      <span className="chip">{status}</span>
                    </div>
                    <p className="quiet">
                      {[signedOn && `Подписано ${formatDay(signedOn)}`, validTo && `действует до ${formatDay(validTo)}`]
                        .filter(Boolean)
                        .join(', ')}
                    </p>
                  </li>
                ))}
              </ul>
            </>
          )}
        </Loaded>
      ) : (
        <p className="card">По этой ссылке видно только время визитов. Войдите по коду, чтобы увидеть свои данные.</p>
      )}
      {me.isProven && <Requests patient={patient} />}
      <div className="steps leave">
        <Button tone="plain" onClick={() => onLeave()}>
          Выйти из кабинета
        </Button>
        <Button tone="plain" onClick={() => onLeave('everywhere')}>
          Выйти на всех устройствах
        </Button>
      </div>
    </>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children || <span className="quiet">не указано</span>}</dd>
  </div>
)
