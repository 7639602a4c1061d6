import type { StandardRoleKey } from './standardRoles.ts'

export const DEMO_PASSWORD = 'demo'

/** The three filials of the demo clinic, as its staff name them. */
export const demoFilials = ['на Ленина', 'на Садовой', 'Детский центр'] as const
type Filial = 0 | 1 | 2

export interface DemoPerson {
  login: string
  fio: string
  post: string
  role: StandardRoleKey
  filial: Filial
  /** DD.MM.YYYY */
  birthday: string
  sip?: string
  isLiveAssist?: boolean
  about?: string
}

/** The employees of the demo clinic; the first of each role has the role's name for a login. */
export const demoStaff: readonly DemoPerson[] = [
  { login: 'admin', fio: 'Соколов Дмитрий Андреевич', post: 'Системный администратор', role: 'admin', filial: 0, birthday: '14.03.1988', sip: '100', about: 'Рабочие места, телефония, доступы' },
  { login: 'manager', fio: 'Орлова Марина Викторовна', post: 'Управляющая сетью', role: 'manager', filial: 0, birthday: '02.09.1979', sip: '101', about: 'Отчёты, планы, согласование скидок' },
  { login: 'operator', fio: 'Кузнецова Алина Сергеевна', post: 'Старший оператор колл-центра', role: 'operator', filial: 0, birthday: '21.06.1996', sip: '201', isLiveAssist: true, about: 'Смены операторов, спорные обращения' },
  { login: 'doctor', fio: 'Павлов Игорь Николаевич', post: 'Врач-терапевт, к. м. н.', role: 'doctor', filial: 0, birthday: '30.01.1975', sip: '301', about: 'Приём взрослых, диспансеризация' },
  { login: 'nurse', fio: 'Белова Наталья Юрьевна', post: 'Старшая медицинская сестра', role: 'nurse', filial: 0, birthday: '17.11.1983', sip: '401', about: 'Процедурный кабинет' },
  { login: 'storekeeper', fio: 'Громов Виктор Павлович', post: 'Кладовщик', role: 'storekeeper', filial: 0, birthday: '08.05.1970', sip: '501', about: 'Основной склад, приёмка по будням до 16:00' },
  { login: 'laboratory', fio: 'Зайцева Ольга Игоревна', post: 'Фельдшер-лаборант', role: 'laboratory', filial: 0, birthday: '25.12.1990', sip: '601', about: 'Приём проб, выдача результатов' },
  { login: 'accountant', fio: 'Лебедева Татьяна Михайловна', post: 'Главный бухгалтер', role: 'accountant', filial: 0, birthday: '11.04.1972', sip: '701', about: 'Зарплата, расчёты с поставщиками' },
  { login: 'mironov', fio: 'Миронов Алексей Петрович', post: 'Главный врач', role: 'manager', filial: 0, birthday: '19.02.1968', sip: '102' },
  { login: 'vasileva', fio: 'Васильева Екатерина Олеговна', post: 'Заведующая филиалом', role: 'manager', filial: 1, birthday: '06.07.1984', sip: '103' },
  { login: 'egorova', fio: 'Егорова Анна Дмитриевна', post: 'Заведующая филиалом', role: 'manager', filial: 2, birthday: '28.10.1981', sip: '104' },
  { login: 'nikitina', fio: 'Никитина Дарья Романовна', post: 'Оператор колл-центра', role: 'operator', filial: 0, birthday: '13.08.1999', sip: '202', isLiveAssist: true },
  { login: 'fomin', fio: 'Фомин Кирилл Андреевич', post: 'Оператор колл-центра', role: 'operator', filial: 0, birthday: '04.02.2001', sip: '203', isLiveAssist: true },
  { login: 'kalinina', fio: 'Калинина Юлия Вячеславовна', post: 'Администратор регистратуры', role: 'operator', filial: 1, birthday: '22.03.1994', sip: '204', isLiveAssist: true },
  { login: 'safina', fio: 'Сафина Гульнара Ринатовна', post: 'Администратор регистратуры', role: 'operator', filial: 2, birthday: '15.05.1992', sip: '205', isLiveAssist: true },
  { login: 'abramova', fio: 'Абрамова Светлана Львовна', post: 'Врач-гинеколог', role: 'doctor', filial: 0, birthday: '09.09.1977', sip: '302' },
  { login: 'danilov', fio: 'Данилов Роман Евгеньевич', post: 'Врач-невролог', role: 'doctor', filial: 0, birthday: '27.06.1982', sip: '303' },
  { login: 'zhukov', fio: 'Жуков Максим Олегович', post: 'Врач-хирург', role: 'doctor', filial: 1, birthday: '03.12.1980', sip: '304' },
  { login: 'isaeva', fio: 'Исаева Полина Артёмовна', post: 'Врач-дерматолог', role: 'doctor', filial: 1, birthday: '18.04.1989', sip: '305' },
  { login: 'kravcov', fio: 'Кравцов Олег Станиславович', post: 'Врач-кардиолог', role: 'doctor', filial: 0, birthday: '31.07.1973', sip: '306' },
  { login: 'lapina', fio: 'Лапина Вера Алексеевна', post: 'Врач-педиатр', role: 'doctor', filial: 2, birthday: '12.01.1986', sip: '307' },
  { login: 'morozova', fio: 'Морозова Ксения Игоревна', post: 'Врач-педиатр', role: 'doctor', filial: 2, birthday: '24.08.1991', sip: '308' },
  { login: 'osipov', fio: 'Осипов Артур Георгиевич', post: 'Врач ультразвуковой диагностики', role: 'doctor', filial: 1, birthday: '05.11.1985', sip: '309' },
  { login: 'petrosyan', fio: 'Петросян Ани Гагиковна', post: 'Врач-офтальмолог', role: 'doctor', filial: 1, birthday: '16.02.1987', sip: '310' },
  { login: 'romanova', fio: 'Романова Ирина Владимировна', post: 'Медицинская сестра', role: 'nurse', filial: 1, birthday: '20.10.1995', sip: '402' },
  { login: 'tikhonova', fio: 'Тихонова Любовь Ивановна', post: 'Медицинская сестра', role: 'nurse', filial: 2, birthday: '01.03.1976', sip: '403' },
  { login: 'ulyanova', fio: 'Ульянова Мария Константиновна', post: 'Медицинская сестра процедурного кабинета', role: 'nurse', filial: 0, birthday: '07.07.1998', sip: '404' },
  { login: 'khasanov', fio: 'Хасанов Тимур Маратович', post: 'Кладовщик', role: 'storekeeper', filial: 1, birthday: '29.09.1993', sip: '502' },
  { login: 'chernova', fio: 'Чернова Елена Борисовна', post: 'Лаборант', role: 'laboratory', filial: 1, birthday: '10.06.1988', sip: '602' },
  { login: 'shubin', fio: 'Шубин Антон Викторович', post: 'Бухгалтер по расчёту зарплаты', role: 'accountant', filial: 0, birthday: '26.04.1990', sip: '702' },
]

/** Those with a role's name for a login, in the order they are told. */
export const demoLogins = demoStaff.filter(person => person.login === person.role).map(person => person.login)
