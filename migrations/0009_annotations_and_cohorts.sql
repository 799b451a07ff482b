CREATE TABLE `annotations` (
	`application_id` integer NOT NULL,
	`id` text NOT NULL,
	`day` integer,
	`time` integer,
	`text` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`application_id`, `id`),
	FOREIGN KEY (`application_id`) REFERENCES `applications`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `cohorts` (
	`application_id` integer NOT NULL,
	`name` text NOT NULL,
	`definition` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`application_id`, `name`),
	FOREIGN KEY (`application_id`) REFERENCES `applications`(`id`) ON UPDATE no action ON DELETE no action
);
