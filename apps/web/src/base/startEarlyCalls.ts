/** Imported first in main.tsx: the page's calls are sent while the rest of the script runs. */
import { earlyCalls } from './earlyCalls.ts'

earlyCalls.start()
