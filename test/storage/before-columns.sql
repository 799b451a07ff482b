-- A database as release 8c07bd3 left it, before activity was kept as columns: written by its consumer and its rollups, of which
-- the last ones of application 1 had not run yet. The keys of the three applications, in the order of their ids:
-- 0b6f2c9a-3d41-4e7b-9a58-6c1d2e3f4a01, 0b6f2c9a-3d41-4e7b-9a58-6c1d2e3f4a02, 0b6f2c9a-3d41-4e7b-9a58-6c1d2e3f4a03.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE d1_migrations(
		id         INTEGER PRIMARY KEY AUTOINCREMENT,
		name       TEXT UNIQUE,
		applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
);
INSERT INTO d1_migrations VALUES(1,'0000_init.sql','2026-11-20 08:00:00');
INSERT INTO d1_migrations VALUES(2,'0001_links.sql','2026-11-20 08:00:00');
CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`plan` text NOT NULL,
	`created_at` integer NOT NULL
);
INSERT INTO accounts VALUES('5c8f7c1e-9f0a-4a53-8d2b-0d5f0d6f2a01','Before columns','enterprise',1790812800000);
CREATE TABLE `api_keys` (
	`hash` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`application_id` integer,
	`scope` text NOT NULL,
	`last_four` text NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`application_id`) REFERENCES `applications`(`id`) ON UPDATE no action ON DELETE no action
);
INSERT INTO api_keys VALUES('7dfb34868230ce27bd96d4a718213a193be4b0fe30d3fa07207d1bdeb0bff000','5c8f7c1e-9f0a-4a53-8d2b-0d5f0d6f2a01',1,'full','4a01',1790812800000,NULL);
INSERT INTO api_keys VALUES('7545e16957aa940f6659522cc4ad86eb4405fb30b7e676c4404452e4e9cb587e','5c8f7c1e-9f0a-4a53-8d2b-0d5f0d6f2a01',2,'full','4a02',1790812800000,NULL);
INSERT INTO api_keys VALUES('9927d37863d0ee377bd53a513af76fca72883d94dc587be896f04b71004ac369','5c8f7c1e-9f0a-4a53-8d2b-0d5f0d6f2a01',3,'full','4a03',1790812800000,NULL);
CREATE TABLE `applications` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_id` text NOT NULL,
	`account_id` text NOT NULL,
	`handle` text NOT NULL,
	`name` text NOT NULL,
	`link` text NOT NULL,
	`description` text NOT NULL,
	`photo_url` text NOT NULL,
	`public_key` text NOT NULL,
	`sealed_private_key` text NOT NULL,
	`capture` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
INSERT INTO applications VALUES(1,'7d3a1b52-6e0f-4c28-8b94-1f2e3d4c5b01','5c8f7c1e-9f0a-4a53-8d2b-0d5f0d6f2a01','lemon_bot','lemon_bot','https://t.me/lemon_bot','','','','','{"auto_capture":true,"auto_capture_tags":["a","button"],"auto_capture_classes":[],"auto_capture_mini_app_events":[],"auto_capture_commands":[],"auto_capture_messages":[],"auto_capture_telegram":false,"auto_capture_telegram_events":[],"advanced_tracking_features":[]}',1790812800000);
INSERT INTO applications VALUES(2,'7d3a1b52-6e0f-4c28-8b94-1f2e3d4c5b02','5c8f7c1e-9f0a-4a53-8d2b-0d5f0d6f2a01','lime_bot','lime_bot','https://t.me/lime_bot','','','','','{"auto_capture":true,"auto_capture_tags":["a","button"],"auto_capture_classes":[],"auto_capture_mini_app_events":[],"auto_capture_commands":[],"auto_capture_messages":[],"auto_capture_telegram":false,"auto_capture_telegram_events":[],"advanced_tracking_features":[]}',1790812800000);
INSERT INTO applications VALUES(3,'7d3a1b52-6e0f-4c28-8b94-1f2e3d4c5b03','5c8f7c1e-9f0a-4a53-8d2b-0d5f0d6f2a01','quiet_bot','quiet_bot','https://t.me/quiet_bot','','','','','{"auto_capture":true,"auto_capture_tags":["a","button"],"auto_capture_classes":[],"auto_capture_mini_app_events":[],"auto_capture_commands":[],"auto_capture_messages":[],"auto_capture_telegram":false,"auto_capture_telegram_events":[],"advanced_tracking_features":[]}',1790812800000);
CREATE TABLE `contexts` (
	`id` integer PRIMARY KEY NOT NULL,
	`application_id` integer NOT NULL,
	`fingerprint` text NOT NULL,
	`language` text,
	`is_premium` integer,
	`referrer_type` text,
	`os` text,
	`device` text,
	`brand` text,
	`model` text,
	`country` text,
	`city` text,
	`write_access` integer,
	`start_parameter` text
);
INSERT INTO contexts VALUES(1,1,'["en",true,null,null,null,null,null,"Germany",null,null,"spring"]','en',1,NULL,NULL,NULL,NULL,NULL,'Germany',NULL,NULL,'spring');
INSERT INTO contexts VALUES(2,1,'["en",true,null,null,null,null,null,"Germany",null,null,null]','en',1,NULL,NULL,NULL,NULL,NULL,'Germany',NULL,NULL,NULL);
INSERT INTO contexts VALUES(3,1,'["ru",false,null,null,null,null,null,"France",null,null,null]','ru',0,NULL,NULL,NULL,NULL,NULL,'France',NULL,NULL,NULL);
INSERT INTO contexts VALUES(4,1,'[null,true,null,null,null,null,null,null,null,null,null]',NULL,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO contexts VALUES(5,1,'[null,false,null,null,null,null,null,null,null,null,null]',NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO contexts VALUES(6,1,'[null,null,null,null,null,null,null,null,null,null,null]',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO contexts VALUES(7,2,'[null,null,null,null,null,null,null,null,null,null,null]',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE `daily_figures` (
	`application_id` integer NOT NULL,
	`day` integer NOT NULL,
	`active_users` integer NOT NULL,
	`monthly_active_users` integer NOT NULL,
	`new_users` integer NOT NULL,
	`premium_users` integer NOT NULL,
	`non_premium_users` integer NOT NULL,
	`events` integer NOT NULL,
	`sessions` integer NOT NULL,
	PRIMARY KEY(`application_id`, `day`)
) WITHOUT ROWID;
INSERT INTO daily_figures VALUES(1,20746,1,1,1,1,0,2,1);
INSERT INTO daily_figures VALUES(1,20747,0,1,0,0,0,0,0);
INSERT INTO daily_figures VALUES(1,20748,0,1,0,0,0,0,0);
INSERT INTO daily_figures VALUES(1,20749,0,1,0,0,0,0,0);
INSERT INTO daily_figures VALUES(1,20750,0,1,0,0,0,0,0);
INSERT INTO daily_figures VALUES(1,20751,0,1,0,0,0,0,0);
INSERT INTO daily_figures VALUES(1,20752,0,1,0,0,0,0,0);
INSERT INTO daily_figures VALUES(1,20753,0,1,0,0,0,0,0);
INSERT INTO daily_figures VALUES(1,20754,0,1,0,0,0,0,0);
INSERT INTO daily_figures VALUES(1,20755,0,1,0,0,0,0,0);
INSERT INTO daily_figures VALUES(1,20756,0,1,0,0,0,0,0);
INSERT INTO daily_figures VALUES(1,20757,0,1,0,0,0,0,0);
INSERT INTO daily_figures VALUES(1,20758,0,1,0,0,0,0,0);
INSERT INTO daily_figures VALUES(1,20759,0,1,0,0,0,0,0);
INSERT INTO daily_figures VALUES(1,20760,0,1,0,0,0,0,0);
INSERT INTO daily_figures VALUES(1,20761,0,1,0,0,0,0,0);
INSERT INTO daily_figures VALUES(1,20762,0,1,0,0,0,0,0);
INSERT INTO daily_figures VALUES(1,20763,0,1,0,0,0,0,0);
INSERT INTO daily_figures VALUES(1,20764,0,1,0,0,0,0,0);
INSERT INTO daily_figures VALUES(1,20765,0,1,0,0,0,0,0);
INSERT INTO daily_figures VALUES(1,20766,0,1,0,0,0,0,0);
INSERT INTO daily_figures VALUES(1,20767,0,1,0,0,0,0,0);
INSERT INTO daily_figures VALUES(1,20768,0,1,0,0,0,0,0);
INSERT INTO daily_figures VALUES(1,20769,0,1,0,0,0,0,0);
INSERT INTO daily_figures VALUES(1,20770,0,1,0,0,0,0,0);
INSERT INTO daily_figures VALUES(1,20771,0,1,0,0,0,0,0);
INSERT INTO daily_figures VALUES(1,20772,0,1,0,0,0,0,0);
INSERT INTO daily_figures VALUES(1,20773,0,1,0,0,0,0,0);
INSERT INTO daily_figures VALUES(1,20774,1,2,1,0,1,2,1);
INSERT INTO daily_figures VALUES(1,20775,0,2,0,0,0,0,0);
INSERT INTO daily_figures VALUES(2,20773,1,1,1,0,1,1,0);
INSERT INTO daily_figures VALUES(2,20774,0,1,0,0,0,0,0);
INSERT INTO daily_figures VALUES(2,20775,1,2,1,0,1,2,0);
INSERT INTO daily_figures VALUES(2,20776,0,2,0,0,0,0,0);
INSERT INTO daily_figures VALUES(2,20777,0,2,0,0,0,0,0);
CREATE TABLE `dirty_days` (
	`application_id` integer NOT NULL,
	`day` integer NOT NULL,
	`mark` integer NOT NULL,
	`marked_at` integer NOT NULL,
	PRIMARY KEY(`application_id`, `day`)
) WITHOUT ROWID;
INSERT INTO dirty_days VALUES(1,20775,1,1795089610000);
INSERT INTO dirty_days VALUES(1,20776,1,1795089600000);
CREATE TABLE `event_ids` (
	`application_id` integer NOT NULL,
	`event_id` blob NOT NULL,
	PRIMARY KEY(`application_id`, `event_id`)
) WITHOUT ROWID;
INSERT INTO event_ids VALUES(1,X'f8b5fbed5a968219d0cdd3e26ee654b2');
CREATE TABLE `event_names` (
	`id` integer PRIMARY KEY NOT NULL,
	`application_id` integer NOT NULL,
	`name` text NOT NULL
);
INSERT INTO event_names VALUES(1,1,'Start');
INSERT INTO event_names VALUES(2,1,'Order');
INSERT INTO event_names VALUES(3,2,'Open');
INSERT INTO event_names VALUES(4,2,'Close');
CREATE TABLE `events` (
	`application_id` integer NOT NULL,
	`name_id` integer NOT NULL,
	`time` integer NOT NULL,
	`telegram_id` integer NOT NULL,
	`event_key` integer NOT NULL,
	`context_id` integer NOT NULL,
	`params` text,
	PRIMARY KEY(`application_id`, `name_id`, `time`, `telegram_id`, `event_key`)
) WITHOUT ROWID;
INSERT INTO events VALUES(1,1,1792497600000,1001,19338648208077,1,NULL);
INSERT INTO events VALUES(1,1,1794916800000,1002,30023571989220,3,NULL);
INSERT INTO events VALUES(1,1,1795003200000,1004,76629653797526,6,NULL);
INSERT INTO events VALUES(1,1,1795089599000,1003,139463604429359,4,NULL);
INSERT INTO events VALUES(1,1,1795089599500,1001,31923547328189,5,NULL);
INSERT INTO events VALUES(1,2,1792497660000,1001,32647066398628,2,'{"amount":5,"item":"lemon"}');
INSERT INTO events VALUES(1,2,1794916860000,1002,132723011050134,3,'{"amount":7}');
INSERT INTO events VALUES(2,3,1794830400000,1001,62708229396560,7,NULL);
INSERT INTO events VALUES(2,3,1795003200000,2002,1267526572809,7,NULL);
INSERT INTO events VALUES(2,4,1795003290000,2002,62966983061379,7,NULL);
CREATE TABLE `sessions` (
	`application_id` integer NOT NULL,
	`telegram_id` integer NOT NULL,
	`session` text NOT NULL,
	`day` integer NOT NULL,
	PRIMARY KEY(`application_id`, `telegram_id`, `session`, `day`)
) WITHOUT ROWID;
INSERT INTO sessions VALUES(1,1001,'a',20746);
INSERT INTO sessions VALUES(1,1001,'d',20776);
INSERT INTO sessions VALUES(1,1002,'b',20774);
INSERT INTO sessions VALUES(1,1003,'c',20776);
CREATE TABLE `user_days` (
	`application_id` integer NOT NULL,
	`day` integer NOT NULL,
	`telegram_id` integer NOT NULL,
	`events` integer NOT NULL,
	`sessions` integer NOT NULL,
	`last_stamp` integer NOT NULL,
	`last_context_id` integer NOT NULL,
	PRIMARY KEY(`application_id`, `day`, `telegram_id`)
) WITHOUT ROWID;
INSERT INTO user_days VALUES(1,20746,1001,2,1,1879570026332925860,2);
INSERT INTO user_days VALUES(1,20774,1002,2,1,1882106741392235158,3);
INSERT INTO user_days VALUES(1,20775,1004,1,0,1882197275443935894,6);
INSERT INTO user_days VALUES(1,20776,1001,1,1,1882287871885495997,5);
INSERT INTO user_days VALUES(1,20776,1003,1,1,1882287871361671727,4);
INSERT INTO user_days VALUES(2,20773,1001,1,0,1882016081511241808,7);
INSERT INTO user_days VALUES(2,20775,2002,2,0,1882197369815592835,7);
CREATE TABLE `users` (
	`application_id` integer NOT NULL,
	`telegram_id` integer NOT NULL,
	`first_active_at` integer NOT NULL,
	`last_active_at` integer NOT NULL,
	`total_events` integer NOT NULL,
	`total_sessions` integer NOT NULL,
	`language` text,
	`is_premium` integer,
	`country` text,
	`city` text,
	`provider` text,
	`curr_balance` real NOT NULL,
	`curr_volume` real NOT NULL,
	`utm` text,
	`username` text,
	`firstname` text,
	`lastname` text,
	`device` text,
	`brand` text,
	`model` text,
	`language_stamp` integer NOT NULL,
	`is_premium_stamp` integer NOT NULL,
	`country_stamp` integer NOT NULL,
	`city_stamp` integer NOT NULL,
	`provider_stamp` integer NOT NULL,
	`curr_balance_stamp` integer NOT NULL,
	`utm_stamp` integer NOT NULL,
	`username_stamp` integer NOT NULL,
	`firstname_stamp` integer NOT NULL,
	`lastname_stamp` integer NOT NULL,
	`device_stamp` integer NOT NULL,
	`brand_stamp` integer NOT NULL,
	`model_stamp` integer NOT NULL,
	PRIMARY KEY(`application_id`, `telegram_id`)
) WITHOUT ROWID;
INSERT INTO users VALUES(1,1001,1792497600000,1795089599500,3,2,'en',0,'Germany',NULL,NULL,0.0,0.0,'spring',NULL,NULL,NULL,NULL,NULL,NULL,1879570026332925860,1882287871885495997,1879570026332925860,0,0,0,1879569963417715405,0,0,0,0,0,0);
INSERT INTO users VALUES(1,1002,1794916800000,1794916860000,2,1,'ru',0,'France',NULL,NULL,0.0,0.0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1882106741392235158,1882106741392235158,1882106741392235158,0,0,0,0,0,0,0,0,0,0);
INSERT INTO users VALUES(1,1003,1795089599000,1795089599000,1,1,NULL,1,NULL,NULL,NULL,0.0,0.0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,1882287871361671727,0,0,0,0,0,0,0,0,0,0,0);
INSERT INTO users VALUES(1,1004,1795003200000,1795003200000,1,0,NULL,NULL,NULL,NULL,NULL,0.0,0.0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,0,0,0,0,0,0,0,0,0,0,0,0);
INSERT INTO users VALUES(2,1001,1794830400000,1794830400000,1,0,NULL,NULL,NULL,NULL,NULL,0.0,0.0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,0,0,0,0,0,0,0,0,0,0,0,0);
INSERT INTO users VALUES(2,2002,1795003200000,1795003290000,2,0,NULL,NULL,NULL,NULL,NULL,0.0,0.0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,0,0,0,0,0,0,0,0,0,0,0,0);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('d1_migrations',2);
INSERT INTO sqlite_sequence VALUES('applications',3);
CREATE INDEX `api_keys_by_account` ON `api_keys` (`account_id`);
CREATE UNIQUE INDEX `applications_project_id_unique` ON `applications` (`project_id`);
CREATE UNIQUE INDEX `applications_by_handle` ON `applications` (lower("handle"));
CREATE INDEX `applications_by_account` ON `applications` (`account_id`);
CREATE UNIQUE INDEX `contexts_by_fingerprint` ON `contexts` (`application_id`,`fingerprint`);
CREATE UNIQUE INDEX `event_names_by_name` ON `event_names` (`application_id`,`name`);
COMMIT;
