import { buildScreens, checkNode } from './checkout.mjs'

checkNode()
buildScreens()
