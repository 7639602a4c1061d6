import { Autocomplete, Button, JsonInput, TextInput } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { socket } from '../../../realtime/connection.ts'
import classes from './Socket.module.css'
import { readData } from './traffic.ts'
import { useSocketFacts } from './useSocketFacts.ts'

const examples: Record<string, string> = {
  ping: '',
  addListener: '{ "path": "users" }',
  addListeners: '{ "listeners": [{ "path": "users" }] }',
  removeListener: '{ "path": "users" }',
}

/** Any message by hand. */
export function SendForm() {
  const { state } = useSocketFacts()
  const [controller, setController] = useState('system')
  const [action, setAction] = useState('ping')
  const [data, setData] = useState('')
  const [tried, setTried] = useState(false)
  const read = readData(data)
  const required = (value: string) => (tried && value.trim() === '' ? 'Обязательное поле' : undefined)

  const choose = (next: string) => {
    const untouched = data.trim() === '' || Object.values(examples).includes(data)
    if (untouched && Object.hasOwn(examples, next)) setData(examples[next] ?? '')
    setAction(next)
  }
  const send = () => {
    setTried(true)
    if (!read.ok || controller.trim() === '' || action.trim() === '') return
    socket.send({ controller: controller.trim(), action: action.trim(), data: read.data })
    setTried(false)
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    send()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      send()
    }
  }
  return (
    <section className={classes.card} aria-labelledby="socket-send">
      <h2 id="socket-send" className={classes.heading}>
        Отправить сообщение
      </h2>
      <form className={classes.form} onSubmit={onSubmit} onKeyDown={onKeyDown} noValidate>
        <div className={classes.pair}>
          <TextInput
            label="Контроллер"
            value={controller}
            onChange={(event) => setController(event.currentTarget.value)}
            error={required(controller)}
          />
          <Autocomplete
            label="Действие"
            data={Object.keys(examples)}
            value={action}
            onChange={choose}
            error={required(action)}
          />
        </div>
        <JsonInput
          label="Данные"
          description="Объект JSON; пусто — без данных"
          value={data}
          onChange={setData}
          error={tried && !read.ok ? read.message : undefined}
          validationError={read.ok ? undefined : read.message}
          formatOnBlur
          autosize
          minRows={3}
          maxRows={12}
          classNames={{ input: classes.code }}
        />
        <div className={classes.send}>
          <Button type="submit" leftSection={<IconSend size={18} />}>
            Отправить
          </Button>
          {state !== 'open' && <span className={classes.dimmed}>Уйдёт, когда соединение откроется</span>}
        </div>
      </form>
    </section>
  )
}
