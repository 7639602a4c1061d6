import { User } from '@ordinator/model/areas/staff/user'
import { GenericLink } from '#kit/GenericLink.tsx'
import { OnlineDot } from '#kit/OnlineDot.tsx'
import { PhoneLink } from '#kit/PhoneLink.tsx'
import { FieldValue } from '#records/FieldValue.tsx'
import classes from './Profile.module.css'

interface Person {
  phone?: string | null
  email?: string | null
  login?: string | null
  sipPhone?: string | null
  description?: string | null
  /** Branches of the person; empty: all. */
  filials?: readonly number[] | null
}

interface Props {
  person: Person
  /** Only for others: online state. */
  online?: boolean
}

/** Phone, e-mail and other contacts; missing ones are marked. */
export function Contacts({ person, online }: Props) {
  return (
    <dl className={classes.facts}>
      {online !== undefined && (
        <div>
          <dt>Состояние</dt>
          <dd>
            <OnlineDot online={online} label />
          </dd>
        </div>
      )}
      <div>
        <dt>Телефон</dt>
        <dd>{person.phone ? <PhoneLink phone={person.phone} /> : 'Не указан'}</dd>
      </div>
      <div>
        <dt>Электронная почта</dt>
        <dd>
          {person.email ? <GenericLink href={`mailto:${person.email}`}>{person.email}</GenericLink> : 'Не указана'}
        </dd>
      </div>
      {person.login && (
        <div>
          <dt>Логин</dt>
          <dd>{person.login}</dd>
        </div>
      )}
      {online !== undefined && person.sipPhone && (
        <div>
          <dt>Внутренний номер</dt>
          <dd className="tabular">{person.sipPhone}</dd>
        </div>
      )}
      {person.filials && (
        <div>
          <dt>Филиалы</dt>
          <dd>{person.filials.length === 0 ? 'Все' : <FieldValue f={User.fields.filials} value={person.filials} />}</dd>
        </div>
      )}
      {person.description && (
        <div>
          <dt>О сотруднике</dt>
          <dd>{person.description}</dd>
        </div>
      )}
    </dl>
  )
}
