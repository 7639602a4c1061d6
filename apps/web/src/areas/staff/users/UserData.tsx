import { User } from '@ordinator/model/areas/staff/user'
import type { Row } from '@ordinator/model/entity'
import { notify } from '../../../kit/notify.tsx'
import { RecordFields } from '../../../records/form/RecordFields.tsx'
import { RecordForm } from '../../../records/RecordForm.tsx'
import classes from './Users.module.css'

/** The employee's data; what is about the account as a whole stands in the head of the page. */
export function UserData({ user }: { user: Row<typeof User> }) {
  return (
    <div className={classes.form}>
      <RecordForm entity={User} record={user} onSaved={() => notify.success('Данные сохранены')}>
        <section aria-labelledby="user-person">
          <h2 id="user-person" className={classes.section}>
            Человек
          </h2>
          <RecordFields names={['surname', 'name', 'middleName', 'post', 'birthday', 'sex', 'description']} />
        </section>
        <section aria-labelledby="user-contacts">
          <h2 id="user-contacts" className={classes.section}>
            Связь
          </h2>
          <RecordFields names={['phone', 'email', 'sipPhone', 'isLiveAssist']} />
        </section>
        <section aria-labelledby="user-account">
          <h2 id="user-account" className={classes.section}>
            Учётная запись
          </h2>
          <RecordFields names={['login', 'timeZone']} />
        </section>
      </RecordForm>
    </div>
  )
}
