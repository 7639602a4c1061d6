import { Button, CopyButton } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { Dialog } from '../../../kit/Dialog.tsx'
import classes from './Users.module.css'

export interface GivenPassword {
  login: string
  password: string
}

/** A password that was just made: it stands nowhere else and cannot be shown again. */
export function PasswordDialog({ given, onClose }: { given: GivenPassword | undefined; onClose: () => void }) {
  const text = given ? `Логин: ${given.login}\nПароль: ${given.password}` : ''
  return (
    <Dialog opened={given !== undefined} onClose={onClose} closeOnClickOutside={false} title="Новый пароль" size="sm">
      <p className={classes.lead}>
        Передайте его сотруднику. Пароль показан один раз, после входа его попросят сменить.
      </p>
      <dl className={classes.given}>
        <dt>Логин</dt>
        <dd>{given?.login}</dd>
        <dt>Пароль</dt>
        <dd className={classes.secret}>{given?.password}</dd>
      </dl>
      <div className={classes.buttons}>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button
              variant={copied ? 'light' : 'filled'}
              leftSection={copied ? <IconCheck size={18} /> : <IconCopy size={18} />}
              onClick={copy}
              data-autofocus
            >
              {copied ? 'Скопировано' : 'Скопировать логин и пароль'}
            </Button>
          )}
        </CopyButton>
        <Button variant="default" onClick={onClose}>
          Готово
        </Button>
      </div>
    </Dialog>
  )
}
