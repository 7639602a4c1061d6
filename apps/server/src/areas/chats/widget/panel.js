// The visitor's panel. Foreign content is inserted only as text.
;(() => {
  const params = new URLSearchParams(location.search)
  const key = params.get('key') || ''
  const host = params.get('host') || ''
  const isEnglish = params.get('lang') === 'en'
  const EN = {
    'Чат с клиникой': 'Chat with the clinic',
    'Закрыть чат': 'Close the chat',
    Сообщения: 'Messages',
    'Оператор печатает…': 'Typing…',
    'Оцените разговор:': 'Rate the conversation:',
    Имя: 'Name',
    Телефон: 'Phone',
    Вопрос: 'Question',
    Отправить: 'Send',
    'Приложить файл': 'Attach a file',
    Сообщение: 'Message',
    'Включить звук': 'Turn the sound on',
    'Выключить звук': 'Turn the sound off',
    Робот: 'Robot',
    Клиника: 'Clinic',
    'Сообщение удалено': 'Message deleted',
    'изменено ': 'edited ',
    Повторить: 'Try again',
    'Откроемся ': 'We open ',
    'Не получилось, попробуйте ещё раз': 'That did not work, please try again',
    'Запись не открылась, попробуйте ещё раз': 'The recording did not open, please try again',
    'Файл не открылся, попробуйте ещё раз': 'The file did not open, please try again',
    'Нет связи, пробуем снова…': 'No connection, trying again…',
    'Отметьте согласие: без него мы не можем принять сообщение':
      'Please tick the consent: we may not take a message without it',
    'Оставьте телефон: мы ответим, как откроемся': 'Please leave your phone: we answer when we open',
    'Файл больше 10 МБ': 'The file is larger than 10 MB',
    'Спасибо за оценку!': 'Thank you!',
    'Разговор завершён': 'The conversation is over',
    // The server's text, until the clinic sets its own.
    'Здравствуйте! Чем помочь?': 'Hello! How can we help?',
    'Сейчас мы не работаем. Оставьте телефон и вопрос — ответим, как откроемся.':
      'We are closed now. Leave your phone and your question: we answer when we open.',
    'Сейчас мы закрыты. Ваш телефон у нас есть: напишите вопрос, мы ответим, как откроемся.':
      'We are closed now. We have your phone: write your question, we answer when we open.',
    'Согласен на обработку персональных данных: имени, телефона, почты и текста сообщений — чтобы клиника могла мне ответить.':
      'I consent to the processing of my personal data (name, phone, e-mail and messages) so that the clinic can answer me.',
    'Не корректный номер телефона': 'This phone number is not valid',
    'Обязательное поле': 'This field is required',
    'Сначала согласитесь на обработку персональных данных': 'Please consent to the processing of personal data first',
    'Слишком много сообщений сразу. Подождите несколько секунд': 'Too many messages at once. Please wait a few seconds',
    'Слишком много сообщений. Подождите пару минут': 'Too many messages. Please wait a couple of minutes',
  }
  // Words with a changing part.
  const RULES = [
    [/^Оценка (\d) из 5$/, 'Rating $1 of 5'],
    [/^Отправляем «(.*)»…$/s, 'Sending “$1”…'],
  ]
  const t = (text) => {
    if (!isEnglish || typeof text !== 'string') return text
    const rule = RULES.find(([words]) => words.test(text))
    return EN[text] || (rule ? text.replace(rule[0], rule[1]) : text)
  }
  const locale = isEnglish ? 'en' : 'ru'
  const $ = (id) => document.getElementById(id)
  const [log, form, start, words, status] = ['log', 'form', 'start', 'words', 'status'].map($)
  const MAX_WAIT = 30_000
  let token = null
  let contact = {}
  let session
  let cursor = 0
  let revision = 0
  let shown = true
  let failures = 0
  let polling = false
  let live = false
  let missed = 0
  let loud = true
  const pending = new Map()
  const seen = new Map()
  const entered = id()

  function id() {
    return [...crypto.getRandomValues(new Uint8Array(16))].map((one) => one.toString(16).padStart(2, '0')).join('')
  }
  const pause = (ms) => new Promise((done) => setTimeout(done, ms))
  const post = (data) => parent !== window && parent.postMessage({ ordinator: 1, ...data }, '*')

  async function ask(method, path, body) {
    const headers = { 'x-client-version': '3' }
    if (token && path.startsWith('/visitor')) headers.authorization = `Visitor ${token}`
    if (body && !(body instanceof FormData)) headers['content-type'] = 'application/json'
    const answer = await fetch(`/live-assist${path}`, {
      method,
      headers,
      body: body instanceof FormData ? body : body && JSON.stringify(body),
    })
    const data = answer.status === 204 ? undefined : await answer.json().catch(() => undefined)
    if (answer.ok) return data
    const error = new Error(
      (Array.isArray(data) ? data[0]?.message : data?.message) || t('Не получилось, попробуйте ещё раз'),
    )
    error.status = answer.status
    throw error
  }

  function element(tag, name, text) {
    const made = document.createElement(tag)
    if (name) made.className = name
    if (text !== undefined) made.textContent = text
    return made
  }
  const note = (text) => {
    status.textContent = t(text)
  }

  async function enter(consent) {
    session = await ask('POST', `?token=${encodeURIComponent(key)}`, {
      responseId: entered,
      token,
      host,
      name: $('name').value.trim() || contact.name || null,
      phone: $('phone').value.trim() || contact.phone || null,
      email: contact.email || null,
      consent,
    })
    token = session.token
    if (token) post({ token })
    return session
  }

  function show({ messages, chat, typing, cursor: last, changed = [], revision: changes }) {
    live = chat?.status === 'active'
    const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 80
    for (const message of messages) {
      if (seen.has(message.seq)) continue
      pending.get(message.clientId)?.remove()
      pending.delete(message.clientId)
      seen.set(message.seq, bubble(message))
      log.append(seen.get(message.seq))
      if (!shown && message.kind !== 'visitor' && message.kind !== 'system') post({ unread: ++missed })
    }
    for (const message of changed) {
      const now = bubble(message)
      seen.get(message.seq)?.replaceWith(now)
      seen.set(message.seq, now)
    }
    cursor = Math.max(cursor, last || 0)
    revision = Math.max(revision, changes || 0)
    $('typing').hidden = !typing
    $('rate').hidden = !chat?.mayRate
    if (atEnd && messages.length) log.scrollTop = log.scrollHeight
    if (shown && chat?.unread && document.visibilityState === 'visible')
      void ask('POST', '/visitor/read', { seq: cursor }).catch(() => {})
  }

  function bubble({ kind, text, author, dateCreate, files, edited, removed }) {
    if (kind === 'system') return element('p', 'system', t(text))
    const made = element('div', `bubble ${kind === 'visitor' ? 'mine' : ''}`)
    if (kind !== 'visitor') made.append(element('b', '', kind === 'robot' ? t('Робот') : author || t('Клиника')))
    if (text) made.append(element('p', '', text))
    if (removed) made.append(element('p', 'system', t('Сообщение удалено')))
    for (const file of files) {
      const link = element('button', 'file', file.sound ? `▶ ${file.name}` : file.name)
      link.type = 'button'
      link.addEventListener('click', () => void (file.sound ? play(file, link) : save(file)))
      made.append(link)
    }
    made.append(
      element(
        'time',
        '',
        (edited && !removed ? t('изменено ') : '') +
          new Date(dateCreate).toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' }),
      ),
    )
    return made
  }

  async function contents(idFile) {
    const answer = await fetch(`/live-assist/visitor/files/${idFile}`, {
      headers: { 'x-client-version': '3', authorization: `Visitor ${token}` },
    })
    if (!answer.ok) throw new Error()
    return answer.blob()
  }

  // Replaces the name of a voice message by a player, fetched on demand: our file needs the token.
  async function play({ id: idFile, name, sound }, link) {
    try {
      const audio = element('audio')
      audio.controls = true
      audio.ariaLabel = name
      audio.src = URL.createObjectURL(new Blob([await contents(idFile)], { type: sound }))
      link.replaceWith(audio)
      await audio.play()
    } catch {
      note('Запись не открылась, попробуйте ещё раз')
    }
  }

  async function save({ id: idFile, name }) {
    try {
      const link = document.createElement('a')
      link.href = URL.createObjectURL(await contents(idFile))
      link.download = name
      link.click()
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
    } catch {
      note('Файл не открылся, попробуйте ещё раз')
    }
  }

  async function poll() {
    if (polling) return
    polling = true
    // When closed, polling continues during a conversation: an answer shows a mark.
    while (token && (shown || live)) {
      try {
        show(await ask('GET', `/visitor/messages?after=${cursor}&revision=${revision}&wait=25`))
        if (failures) note('')
        failures = 0
        // A chat with typing responds at once: pause to limit polling.
        await pause($('typing').hidden ? 100 : 2_000)
      } catch (error) {
        if (error.status === 401 || error.status === 410) {
          note(error.message)
          break
        }
        failures++
        note('Нет связи, пробуем снова…')
        await pause(Math.min(MAX_WAIT, 1000 * 2 ** failures) * (0.5 + Math.random() / 2))
      }
    }
    polling = false
  }

  async function send(text, clientId = id()) {
    pending.get(clientId)?.remove()
    const line = bubble({ kind: 'visitor', text, dateCreate: new Date(), files: [] })
    line.classList.add('going')
    pending.set(clientId, line)
    log.append(line)
    log.scrollTop = log.scrollHeight
    try {
      await ask('POST', '/visitor/messages', { clientId, text })
      show(await ask('GET', `/visitor/messages?after=${cursor}&revision=${revision}`))
      note('')
    } catch (error) {
      line.classList.add('failed')
      const again = element('button', 'again', t('Повторить'))
      again.type = 'button'
      again.addEventListener('click', () => void send(text, clientId))
      line.append(again)
      note(error.message)
    }
  }

  function begin() {
    start.hidden = true
    form.hidden = false
    void poll()
  }

  start.addEventListener('submit', async (event) => {
    event.preventDefault()
    const first = $('first').value.trim()
    if (!$('agree').checked) {
      note('Отметьте согласие: без него мы не можем принять сообщение')
      return $('agree').focus()
    }
    if (!first) return $('first').focus()
    if (session.mode === 'offline' && !$('phone').value.trim()) {
      note('Оставьте телефон: мы ответим, как откроемся')
      return $('phone').focus()
    }
    $('go').disabled = true
    note('')
    try {
      await enter({ version: session.consent.version })
      begin()
      await send(first)
      words.focus()
    } catch (error) {
      note(error.message)
    } finally {
      $('go').disabled = false
    }
  })
  const submit = () => {
    const text = words.value.trim()
    if (!text) return
    words.value = ''
    void send(text)
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    submit()
  })
  words.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    submit()
  })
  let typedAt = 0
  words.addEventListener('input', () => {
    if (!token || !words.value || Date.now() - typedAt < 3_000) return
    typedAt = Date.now()
    void ask('POST', '/visitor/typing').catch(() => {})
  })
  $('file').addEventListener('change', async ({ target }) => {
    const [file] = target.files
    target.value = ''
    if (!file) return
    if (file.size > session.limits.fileSize) return note('Файл больше 10 МБ')
    note(`Отправляем «${file.name}»…`)
    const body = new FormData()
    body.set('file', file)
    try {
      await ask('POST', `/visitor/files?clientId=${id()}`, body)
      show(await ask('GET', `/visitor/messages?after=${cursor}&revision=${revision}`))
      note('')
    } catch (error) {
      note(error.message)
    }
  })
  for (const star of document.querySelectorAll('#rate button'))
    star.addEventListener('click', async () => {
      try {
        await ask('POST', '/visitor/rating', { rating: Number(star.value) })
        note('Спасибо за оценку!')
      } catch (error) {
        note(error.message)
      }
      $('rate').hidden = true
    })
  function hush(on) {
    loud = on
    const button = $('sound')
    button.classList.toggle('off', !on)
    button.ariaLabel = t(on ? 'Выключить звук' : 'Включить звук')
    button.title = button.ariaLabel
  }
  $('sound').hidden = parent === window
  $('sound').addEventListener('click', () => {
    hush(!loud)
    post({ sound: loud })
  })
  if (isEnglish) {
    document.documentElement.lang = 'en'
    document.title = t(document.title)
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const own = texts.currentNode.data.trim()
      if (EN[own]) texts.currentNode.data = EN[own]
    }
    for (const one of document.querySelectorAll('[aria-label],[title],[placeholder]'))
      for (const name of ['aria-label', 'title', 'placeholder'])
        if (one.hasAttribute(name)) one.setAttribute(name, t(one.getAttribute(name)))
  }
  hush(true)
  addEventListener('keydown', (event) => event.key === 'Escape' && post({ close: true }))
  $('close').addEventListener('click', () => post({ close: true }))

  async function open() {
    try {
      await enter(null)
    } catch (error) {
      note(error.message)
      $('go').disabled = true
      return
    }
    $('greeting').textContent = t(session.greeting)
    $('agreement').textContent = t(session.consent.text)
    if (session.opensAt)
      $('opens').textContent =
        t('Откроемся ') +
        `${new Date(session.opensAt).toLocaleString(locale, { day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' })}`
    if (contact.name) $('name').value = contact.name
    if (contact.phone) $('phone').value = contact.phone
    if (!token) {
      start.hidden = false
      return
    }
    show(session)
    begin()
  }

  let opened = false
  const once = () => {
    if (opened) return
    opened = true
    void open()
  }
  addEventListener('message', ({ data, source }) => {
    if (source !== parent || data?.ordinator !== 1) return
    if (data.contact) {
      contact = { ...contact, ...data.contact }
      // A known visitor has a new phone or name.
      if (token && opened) void enter(null).catch(() => {})
    }
    if (typeof data.sound === 'boolean') hush(data.sound)
    if ('shown' in data) {
      shown = data.shown
      if (shown) missed = 0
      if (shown && token && opened) void poll()
    }
    if ('token' in data) {
      if (typeof data.token === 'string') token = data.token
      once()
    }
  })
  if (parent === window) once()
  else post({ ready: true })
})()
